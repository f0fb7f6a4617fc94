// region module
module org.example.squares {
  requires dev.cairn.core;
}
// endregion
