// Facts about the layout of a page that hold at every width. It runs inside the page and returns what is wrong.
export function layoutFaults(mayHaveScript) {
  const faults = [];
  const root = document.documentElement;
  if (!root.lang) faults.push("the page has no language");
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide, the window ${innerWidth}`);
  const scrolls = (element) => element.closest(".region, pre") !== null;
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.right > innerWidth + 1 && !scrolls(element)) {
      faults.push(`<${element.localName}> "${element.textContent.slice(0, 40)}" ends at ${Math.round(box.right)}`);
    }
  }
  const ruler = document.createElement("span");
  ruler.textContent = "000";
  for (const cell of document.querySelectorAll("th, td")) {
    if (!cell.checkVisibility()) continue;
    cell.append(ruler);
    const three = ruler.getBoundingClientRect().width;
    ruler.remove();
    const width = cell.getBoundingClientRect().width;
    if (width + 0.5 < three) faults.push(`a cell "${cell.textContent.slice(0, 40)}" is ${width} wide, 3 characters are ${three}`);
  }
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map((one) => Number(one.localName[1]));
  levels.forEach((level, at) => {
    if (level > (at === 0 ? 0 : levels[at - 1]) + 1) faults.push(`heading ${at + 1} skips to level ${level}`);
  });
  if (!mayHaveScript && document.querySelector("script")) faults.push("the page has a script");
  return faults;
}
