// Measures the page as a reader sees it, and writes what it finds into an element that a dump of the page shows.
const errors = [];
window.addEventListener('error', event => errors.push(String(event.message)));

/** Elements that show letters of their own. */
const shown = [...document.querySelectorAll('body *')].filter(element =>
  !['SCRIPT', 'STYLE', 'title'].includes(element.nodeName) &&
  [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));

const boxOf = element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return element instanceof SVGElement ? element.getBoundingClientRect() : range.getBoundingClientRect();
};

/** Of texts of one picture; more than a pixel in both directions. */
const overlaps = [];
for (const picture of document.querySelectorAll('svg')) {
  const texts = [...picture.querySelectorAll('text')];
  texts.forEach((one, place) => texts.slice(place + 1).forEach(other => {
    const [a, b] = [boxOf(one), boxOf(other)];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 1) overlaps.push(`'${one.textContent}' and '${other.textContent}'`);
  }));
}

/** The page is no wider than the window, and a text of a picture stays inside of it; only tables scroll. */
const overflows = [];
const wide = document.documentElement.scrollWidth;
if (wide > document.documentElement.clientWidth) overflows.push(`the page is ${wide} pixels wide`);
for (const text of document.querySelectorAll('svg text')) {
  const [box, room] = [boxOf(text), text.ownerSVGElement.getBoundingClientRect()];
  if (box.left < room.left - 1 || box.right > room.right + 1 || box.bottom > room.bottom + 1) overflows.push(text.textContent);
}

const channels = color => color.match(/[\d.]+/g).map(Number);
const luminance = color => {
  const [red, green, blue] = channels(color).slice(0, 3).map(value => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const paperOf = element => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    const alpha = channels(color)[3];
    if (alpha === undefined || alpha > 0) return color;
  }
  return 'rgb(255, 255, 255)';
};

/** Letters whose contrast with their paper is below that of WCAG's level AA, 4.5, or that are smaller than 9 pixels. */
const faint = [];
const tiny = [];
for (const element of shown) {
  const style = getComputedStyle(element);
  const ink = element instanceof SVGElement ? style.fill : style.color;
  const [lighter, darker] = [luminance(ink), luminance(paperOf(element))].sort((a, b) => b - a);
  const contrast = (lighter + 0.05) / (darker + 0.05);
  if (contrast < 4.5) faint.push(`${element.textContent}: ${contrast.toFixed(1)}`);
  const scale = element instanceof SVGElement ? element.ownerSVGElement.getScreenCTM().a : 1;
  const size = parseFloat(style.fontSize) * scale;
  if (size < 9) tiny.push(`${element.textContent}: ${size.toFixed(1)}`);
}

const table = [...document.querySelectorAll('table')].find(one => one.tHead.textContent.includes('waited'));
const saves = [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent));
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
const measured = document.createElement('pre');
measured.id = 'measured';
measured.textContent = JSON.stringify({ errors, overlaps, overflows, faint, tiny, saves, isDark, paper: paperOf(document.body), texts: shown.length });
document.body.append(measured);
