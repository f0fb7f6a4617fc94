package dev.cairn.examples.town.rows;

/** A child is born. The model does not follow its first years: it talks and walks at once. */
record BirthEvent(Household household) implements Event {
  @Override
  public void happen(Town town) {
    if (!household.members.isEmpty()) {
      Agent child = new Resident(household, 0, town.random);
      child.befriend(household.members.get(0));
      child.befriend(town.pick(Registry.everyone()));
      child.chooseBestFriend();
      town.admit(child);
    }
    town.scheduler.add(town.timeOfNext("births"), new BirthEvent(town.pick(town.households)));
  }
}
