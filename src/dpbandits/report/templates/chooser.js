"use strict";
// The chooser of an arena. From the arena's table, which the page has for download, it ranks the policies for one trust,
// epsilon, number of arms and round. Without a script, or where a browser cannot unpack the table, it stays hidden.
(() => {
  const section = document.currentScript.closest("section");
  const form = section.querySelector(".chooser");
  const [answer, note, body] = [".answer", ".played", "tbody"].map((name) => form.querySelector(name));
  const { yardstick, instances: labels } = JSON.parse(form.dataset.about);
  const TIED = 2; // standard errors

  const unpacked = async (address) => {
    const letters = atob(address.slice(address.indexOf(",") + 1));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const cellsOf = (line) => [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  const rowsOf = (table) => {
    const [names, ...rows] = table.trimEnd().split("\n").map(cellsOf);
    return rows.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])));
  };

  // Of each policy on each instance, its row at this round in the shortest game that is long enough.
  const played = (rows, arms, t) => {
    const here = rows.filter((row) => Number(row.arms) === arms);
    const end = {};
    for (const { instance, game, t } of here)
      end[`${instance} ${game}`] = Math.max(end[`${instance} ${game}`] ?? 0, Number(t));
    const found = new Map();
    for (const row of here.filter((row) => Number(row.t) === t)) {
      const name = [row.policy, row.epsilon, row.instance].join(" ");
      row.end = end[`${row.instance} ${row.game}`];
      if (!(found.get(name)?.end <= row.end)) found.set(name, row);
    }
    return [...found.values()];
  };
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const geometric = (values) => Math.exp(mean(values.map(Math.log)));
  const group = (rows, name) => rows.reduce((all, row) => all.set(name(row), [...(all.get(name(row)) ?? []), row]), new Map());

  // A policy over the instances: regrets are geometric means over the yardstick's, and the error is that of its own runs.
  const scored = (mine) => {
    const of = (column) => mine.map((row) => Number(row[column]));
    const means = of("mean");
    const hasUnit = mine.every((row) => row.over_yardstick !== "");
    const unit = hasUnit ? geometric(mine.map((row, i) => means[i] / Number(row.over_yardstick))) : 1;
    const regret = geometric(means) / unit;
    return {
      label: mine[0].label, instances: mine.length, hasUnit,
      exceeded: mine.some((row) => row.promise === "exceeded"),
      printed: mine.some((row) => row.setting === "printed"), // with other privacy than the rest
      mean: regret, median: geometric(of("median")) / unit, tail: geometric(of("percentile_95")) / unit,
      error: regret * Math.hypot(...of("standard_error").map((error, i) => error / means[i])) / mine.length,
      tunedFor: Math.max(...mine.map((row) => (row.knows_horizon === "1" && Number(row.horizon) > Number(row.t) ? Number(row.horizon) : 0))),
      lost: mean(of("locked_in")),
      spent: mine[0].spent === "" ? NaN : Math.max(...of("spent")),
      measured: mine[0].measured === "" ? NaN : Math.max(...of("measured")),
    };
  };
  const ranked = (rows, { league, epsilon, arms, t }) => {
    const all = played(rows, Number(arms), Number(t));
    const names = [...new Set(all.map((row) => row.instance))];
    const mine = all.filter((row) => row.league === league && (row.epsilon === "" || Number(row.epsilon) === Number(epsilon)));
    const policies = [...group(mine, (row) => row.policy).values()].map(scored);
    for (const each of policies) each.counts = !each.exceeded && !each.printed && each.instances === names.length;
    const least = (a, b) => Number(a.mean.toPrecision(5)) - Number(b.mean.toPrecision(5)) || (a.label < b.label ? -1 : 1);
    policies.sort((a, b) => b.counts - a.counts || least(a, b));
    const [best] = policies;
    for (const each of policies) each.ties = each.counts && each.mean - best.mean <= TIED * Math.hypot(each.error, best.error);
    return { names, policies };
  };

  const short = (value, digits = 3) =>
    value === Infinity ? "∞" : value < 1e-9 ? "0" : value >= 1000 ? Math.round(Number(value.toPrecision(digits))).toLocaleString("en") : String(Number(value.toPrecision(digits)));
  const make = (tag, parent, text, name = "") => {
    const element = document.createElement(tag);
    element.textContent = text;
    element.className = name;
    parent.append(element);
  };
  const percent = (share) => (share > 0 && share < 0.001 ? "< 0.1%" : `${short(share * 100, 2)}%`);
  const show = (rows) => {
    const { names, policies } = ranked(rows, Object.fromEntries(new FormData(form)));
    const [best] = policies, tied = policies.filter((each) => each.ties);
    const unit = best?.hasUnit ? ` times the regret of ${yardstick}` : " rounds’ worth of reward";
    form.querySelector(".unit").textContent = best?.hasUnit ? `Regret / ${yardstick}’s` : "Regret";
    const where = names.map((name) => labels[name] ?? name).join(", ");
    note.textContent = names.length > 1 ? `Geometric means over ${names.length} bandits: ${where}.` : `On one bandit: ${where}.`;
    answer.replaceChildren();
    body.replaceChildren();
    if (!tied.length) return make("span", answer, "No policy of this kind plays all of these games and keeps its promise.");
    make("b", answer, tied.map((each) => each.label).join(", "));
    make("span", answer, ` ${tied.length > 1 ? "are tied: the first loses" : "loses least:"} ${short(best.mean)} ± ${short(best.error, 2)}${unit}.`);
    policies.forEach((each, i) => {
      body.insertRow().className = each.counts ? (each.ties ? "tied" : "") : "grey";
      const row = body.rows[i];
      const left = each.exceeded ? "exceeds its promise" : each.printed ? "has other privacy" : `plays ${each.instances} of ${names.length}`;
      make("td", row, !each.counts ? "–" : each.ties && tied.length > 1 ? "1, tied" : i + 1, "number");
      make("th", row, each.label);
      if (!each.counts) make("small", row.cells[1], left);
      else if (each.tunedFor) make("small", row.cells[1], `tuned for ${short(each.tunedFor)} rounds`);
      make("td", row, `${short(each.mean)} ± ${short(each.error, 2)}`, "number");
      for (const value of [each.median, each.tail]) make("td", row, short(value), "number");
      make("td", row, percent(each.lost), "number");
      make("td", row, Number.isNaN(each.spent) ? "–" : short(each.spent), "number");
      make("td", row, Number.isNaN(each.measured) ? "–" : `≥ ${short(each.measured)}`, "number");
    });
  };

  const link = section.querySelector('a[download$="-scores.csv.gz"]');
  unpacked(link.href).then((table) => {
    const rows = rowsOf(table);
    form.addEventListener("change", () => show(rows));
    show(rows);
    form.hidden = false;
  });
})();
