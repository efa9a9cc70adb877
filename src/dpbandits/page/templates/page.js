"use strict";
// Without this script the page has all tables and, as images, all figures. It adds curves that a click hides, tables that a click
// sorts, the arena's rankings, and addresses. Figures and rankings are scripts beside the page, loaded when they are seen.

function load(file) {
  const script = document.createElement("script");
  script.src = file;
  document.head.append(script);
}

function legend(figure) {
  const curves = Map.groupBy(figure.querySelectorAll("[data-label]"), (curve) => curve.dataset.label);
  figure.querySelector(".plot").classList.toggle("curves", curves.size > 0);
  if (curves.size < 2) return;
  for (const [label, parts] of curves) {
    const button = document.createElement("button");
    const key = document.createElement("i");
    const drawn = parts.map((part) => part.querySelector("path[style*='stroke: #'], use[style*='stroke: #']")).find(Boolean);
    key.style.background = drawn?.style.stroke ?? "";
    button.type = "button";
    button.ariaPressed = "true";
    button.append(key, label);
    button.addEventListener("click", () => {
      const isShown = button.ariaPressed === "true";
      button.ariaPressed = String(!isShown);
      for (const part of parts) part.classList.toggle("off", isShown);
    });
    figure.querySelector(".legend").append(button);
  }
}

// Called by files/<study>/<figure>.js.
function drawn(place, svg) {
  const plot = document.querySelector(`[data-place="${place}"]`);
  plot.innerHTML = svg;
  plot.removeAttribute("style");
  legend(plot.closest("figure"));
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    load(`${target.dataset.folder}/${target.dataset.place}.js`);
  }
}, { rootMargin: "400px" });
for (const plot of document.querySelectorAll(".plot")) seen.observe(plot);

// A click on a column's head sorts rows; the rows of one check, which share a body, stay together. A cell that begins with a number
// is sorted by it, and comes before other text.
const valueIn = (cell) => Number.parseFloat(cell.textContent.replace(/^[\s≥≤<>]+|,/g, ""));
const inOrder = (a, b) => {
  const [x, y] = [valueIn(a), valueIn(b)];
  return isNaN(x) - isNaN(y) || x - y || a.textContent.localeCompare(b.textContent, "en", { numeric: true });
};

for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.ariaSort === "ascending";
      const parent = table.tBodies.length > 1 ? table : table.tBodies[0];
      const parts = table.tBodies.length > 1 ? [...table.tBodies] : [...parent.rows];
      const cell = (part) => (part.rows?.[0] ?? part).cells[head.cellIndex];
      parts.sort((a, b) => inOrder(cell(a), cell(b)));
      for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = down ? "descending" : "ascending";
      parent.append(...(down ? parts.reverse() : parts));
    });
  }
}

// The chooser of an arena. As dpbandits.recommend: the nearest measured cell in each direction, by ratios.
const choosers = {};
const written = (x) => x.toLocaleString("en", { maximumFractionDigits: 6 });

// Called by files/<arena>/rankings.js, with the candidates and the rows of each cell.
function ranked(arena, rankings) {
  choosers[arena].cells = Object.entries(rankings).map(([key, cell]) => {
    const [league, ...numbers] = key.split("|");
    return { ...cell, key, league, numbers: numbers.map(Number) };
  });
  choosers[arena].answer();
}

function chooser(form) {
  const section = form.closest("section");
  const [sentence, code] = section.querySelectorAll(".answer");
  const advice = section.querySelector(".advice");
  const box = section.querySelector(".rankings");
  const table = box.querySelector("table");
  const practice = [...section.querySelectorAll(".practice input")];
  const best = (cell) => cell.candidates.filter(([, , tied]) => tied).map(([label]) => label);
  const name = ({ numbers: [epsilon, arms, rounds] }) => `ε = ${written(epsilon)}, ${arms} arms, ${written(rounds)} rounds`;
  const self = { cells: null, answer, choose };
  let asking = false;

  const around = (asked, own) => {
    for (const cell of own) {
      cell.ratios = cell.numbers.map((x, i) => Math.log(x / asked[i]));
      cell.distance = cell.ratios.reduce((sum, x) => sum + Math.abs(x), 0);
    }
    const sorted = own.toSorted((a, b) => a.distance - b.distance);
    const directions = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [0, 1, 2].map((i) => (bits >> i & 1 ? -1 : 1)));
    const nearest = directions.map((signs) => sorted.find((cell) => cell.ratios.every((x, i) => x * signs[i] >= -1e-12)));
    return sorted.filter((cell) => nearest.includes(cell));
  };

  function answer() {
    if (!self.cells) {
      if (!asking) load(`${box.dataset.folder}/${box.dataset.id}/rankings.js`);
      asking = true;
      return;
    }
    const [league, ...texts] = [...form.elements].map((element) => element.value);
    const asked = texts.map(Number), own = self.cells.filter((cell) => cell.league === league);
    table.hidden = true;
    code.textContent = advice.textContent = "";
    for (const [i, what] of ["ε", "arms", "rounds"].entries()) {
      const values = own.map(({ numbers }) => numbers[i]), low = Math.min(...values), high = Math.max(...values);
      if (!(asked[i] >= low && asked[i] <= high)) {
        sentence.textContent = `${what}: measured from ${written(low)} to ${written(high)}. Other numbers have no answer here.`;
        return;
      }
    }
    const found = around(asked, own), [first] = found, calls = new Map();
    if (table.dataset.key !== first.key) {
      table.tBodies[0].innerHTML = first.rows;
      table.dataset.key = first.key;
      for (const head of table.tHead.rows[0].cells) head.ariaSort = null;
    }
    table.hidden = false;
    for (const cell of found)
      for (const [label, call, tied] of cell.candidates)
        if ((tied || cell === first) && !calls.has(label))
          calls.set(label, `p.${call.replace(/epsilon=([^,)]+)/, (_, x) => `epsilon=${+((x * asked[0]) / cell.numbers[0]).toPrecision(6)}`)}`);
    const agree = found.every((cell) => best(cell).includes(best(first)[0]));
    const [nearest, ...others] = found.map((cell) => `${name(cell)}: ${best(cell).join(" = ")}.`);
    const neighbours = others.length ? ` Cells around it: ${others.join(" ")}` : "";
    sentence.textContent = `Nearest measured cell, ${nearest}${neighbours}${agree ? "" : " The cells disagree."}`;
    const values = { others: asked[1] - 1, calls: [...calls.values()].join(", "), rounds: asked[2] };
    code.textContent = code.dataset.code.replace(/\{(\w+)\}/g, (_, key) => values[key]);
    advise(table.tBodies[0].rows[0].dataset, first);
  }

  // A practitioner's units: what the best policy loses. The regret of rewards 0 and 1 is a number of conversions.
  function advise({ label, least, most, lost }, { numbers: [epsilon, arms, rounds] }) {
    const number = (value) => written(Math.round(value));
    const lower = number(least), range = lower === number(most) ? lower : `${lower} to ${number(most)}`;
    advice.textContent = `After ${written(rounds)} visitors ${label} has ${range} fewer conversions than ` +
      `${box.dataset.yardstick}, which is not private, on the bandits below (ε = ${written(epsilon)}, ${arms} arms). It loses the best arm in ${(100 * lost).toFixed(1)}% of the runs.`;
  }

  function choose(values) {
    [...form.elements].forEach((element, place) => { element.value = values[place]; });
    section.scrollIntoView();
    answer();
  }

  function changed() {
    const address = [box.dataset.id, ...[...form.elements].map((element) => element.value)];
    history.replaceState(null, "", `#${address.map(encodeURIComponent).join("/")}`);
    answer();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  for (const input of practice) input.addEventListener("input", () => {
    const [visitors, days] = practice.map((each) => Number(each.value));
    if (!(visitors * days > 0)) return;
    [...form.elements].at(-1).value = visitors * days;
    changed();
  });
  new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) answer(); }).observe(form);
  choosers[box.dataset.id] = self;
}
for (const form of document.querySelectorAll("form.choice")) chooser(form);

// An address such as #arena/local/0.5/10/100000 chooses.
function follow() {
  const [first, ...rest] = location.hash.slice(1).split("/").map(decodeURIComponent);
  if (rest.length === 4) choosers[first]?.choose(rest);
}
addEventListener("hashchange", follow);
follow();
