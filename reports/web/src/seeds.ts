// A comparison in absolute numbers: the mean of each metric under each policy, and the value of every seed as a dot.
import type {CsvRow, Folder} from './data';
import {el, section, sideways, table, tableHead} from './dom';
import {count} from './format';
import {linesOf, swatch} from './look';
import {allMetrics, type Metric} from './metrics';

/** The values of one metric, by policy and seed; a run that was never clean has no time to it. */
type Values = Map<string, Map<string, number>>;

function valuesOf(rows: readonly CsvRow[], metric: Metric): Values {
  const values: Values = new Map();
  for (const row of rows) {
    const own = values.get(row['policy']!) ?? new Map<string, number>();
    values.set(row['policy']!, own);
    const text = row[metric.column] ?? '';
    if (text !== '') own.set(row['seed']!, Number(text));
  }
  return values;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanText(metric: Metric, own: ReadonlyMap<string, number>, runs: number): string {
  if (own.size === 0) return metric.column === 'reclaim_ms' ? 'not in time' : '–';
  const text = metric.text(mean([...own.values()]));
  return own.size < runs ? `${text} (${count(own.size)} of ${count(runs)})` : text;
}

const height = 30;
const margin = 2;

/** Where a value stands on a strip, in per cent. */
function placeOf(value: number, most: number): number {
  return margin + (most > 0 ? value / most : 0) * (100 - 2 * margin);
}

/** Seeds of one value would hide each other: each has its own height, the same under every policy. */
function heightOf(seed: string): number {
  return 7 + ((Number(seed) * 0.618034) % 1) * (height - 14);
}

function path(points: readonly [x: number, y: number][], cls: string): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  // A point is a line of no length with round ends; so there is one element, however many there are.
  element.setAttribute('d', points.map(([x, y]) => `M${(x * 10).toFixed(2)} ${y.toFixed(1)}h0`).join(''));
  element.setAttribute('class', cls);
  element.setAttribute('vector-effect', 'non-scaling-stroke');
  return element;
}

class Strip {
  private readonly ring: SVGElement;
  readonly element: SVGElement;

  constructor(private readonly own: ReadonlyMap<string, number>, private readonly most: number) {
    this.element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [key, value] of Object.entries({viewBox: `0 0 1000 ${height}`, preserveAspectRatio: 'none', class: 'strip', height: String(height), 'aria-hidden': 'true'})) {
      this.element.setAttribute(key, value);
    }
    this.ring = path([], 'ring');
    this.element.append(path([...own].map(([seed, value]) => [placeOf(value, most), heightOf(seed)]), 'dots'), this.ring);
    if (own.size > 0) {
      const line = path([], 'mean');
      const x = (placeOf(mean([...own.values()]), most) * 10).toFixed(2);
      line.setAttribute('d', `M${x} 2V${height - 2}`);
      this.element.append(line);
    }
  }

  /** The seed whose dot is nearest to a place on the screen. */
  nearest(event: MouseEvent): string | null {
    const box = this.element.getBoundingClientRect();
    let best: string | null = null;
    let least = Infinity;
    for (const [seed, value] of this.own) {
      const x = box.left + (placeOf(value, this.most) / 100) * box.width - event.clientX;
      const y = box.top + heightOf(seed) - event.clientY;
      if (x * x + y * y >= least) continue;
      least = x * x + y * y;
      best = seed;
    }
    return best;
  }

  show(seed: string | null): void {
    const value = seed === null ? undefined : this.own.get(seed);
    this.ring.setAttribute('d', value === undefined ? '' : path([[placeOf(value, this.most), heightOf(seed!)]], '').getAttribute('d')!);
  }
}

/** A strip a policy, on one scale from zero. */
function strips(metric: Metric, values: Values, runsOf: ReadonlyMap<string, number>): HTMLElement {
  const looks = linesOf([...values.keys()]);
  const most = Math.max(0, ...[...values.values()].flatMap((own) => [...own.values()]));
  const told = el('p', {class: 'moment'}, 'Each dot is a seed, the line is the mean. Point at a dot to see its seed under every policy.');
  const made = [...values.values()].map((own) => new Strip(own, most));
  const point = (seed: string | null): void => {
    for (const strip of made) strip.show(seed);
    if (seed === null) return;
    told.textContent = `Seed ${seed}: ${[...values].map(([policy, own]) => {
      const value = own.get(seed);
      return `${policy} ${value === undefined ? 'none' : metric.text(value)}`;
    }).join(' · ')}`;
  };
  const rows = [...values].map(([policy, own], place) => {
    const strip = made[place]!;
    strip.element.addEventListener('mousemove', (event) => point(strip.nearest(event as MouseEvent)));
    strip.element.addEventListener('mouseleave', () => point(null));
    return el('div', {class: 'strip-row', 'data-policy': policy, 'data-seeds': own.size},
      el('span', {class: 'what'}, swatch(looks[place]!), ` ${policy}`), strip.element,
      el('span', {class: 'n'}, meanText(metric, own, runsOf.get(policy) ?? 0)));
  });
  const axis = el('div', {class: 'strip-row axis', 'aria-hidden': 'true'}, el('span', {}),
    el('span', {class: 'ends'}, el('span', {}, '0'), el('span', {}, metric.text(most / 2)), el('span', {}, metric.text(most))), el('span', {class: 'n'}, 'mean'));
  return el('div', {class: 'strips'}, ...rows, axis, told);
}

/** Every seed's value, built when it is opened. */
function everySeed(metric: Metric, values: Values): HTMLElement {
  const frame = el('details', {ontoggle: () => {
    if (!frame.open || frame.children.length > 1) return;
    const seeds = [...new Set([...values.values()].flatMap((own) => [...own.keys()]))].sort((a, b) => Number(a) - Number(b));
    frame.append(table(['seed', ...[...values.keys()].map((right) => ({right}))], seeds.map((seed) => el('tr', {},
      el('th', {scope: 'row'}, seed), ...[...values.values()].map((own) => {
        const value = own.get(seed);
        return el('td', {class: 'n', 'data-value': value ?? ''}, value === undefined ? '–' : metric.text(value));
      }))), {class: 'figures'}));
  }}, el('summary', {}, `${metric.name} of every seed, as a table`));
  return frame;
}

export function seeds(folder: Folder, id: string, title: string): HTMLElement {
  const {rows} = folder;
  const runsOf = new Map<string, number>();
  for (const row of rows) runsOf.set(row['policy']!, (runsOf.get(row['policy']!) ?? 0) + 1);
  const policies = [...runsOf.keys()];
  const all = new Map(allMetrics.map((metric) => [metric, valuesOf(rows, metric)]));
  const body = el('tbody', {});
  const shown = el('div', {});

  function choose(chosen: Metric): void {
    const values = all.get(chosen)!;
    body.replaceChildren(...[...all].map(([metric, own]) => el('tr', {class: metric === chosen ? 'chosen' : '', 'data-metric': metric.column},
      el('th', {scope: 'row'}, el('button', {type: 'button', class: 'plain', 'aria-pressed': metric === chosen, title: 'Show every seed below',
        onclick: () => {
          choose(metric);
          (body.querySelector('.chosen button') as HTMLElement | null)?.focus();
        }}, metric.name)),
      ...policies.map((policy) => el('td', {class: 'n', 'data-policy': policy, 'data-mean': own.get(policy)!.size > 0 ? mean([...own.get(policy)!.values()]) : ''},
        meanText(metric, own.get(policy)!, runsOf.get(policy)!))))));
    shown.replaceChildren(el('h3', {}, chosen.name), strips(chosen, values, runsOf), everySeed(chosen, values));
  }

  choose(all.keys().next().value!);
  return section(id, title,
    el('p', {class: 'says'}, 'The mean over all seeds. Choose a row to see every seed of it.'),
    sideways(el('table', {class: 'figures'}, tableHead(['mean of', ...policies.map((right) => ({right}))]), body)), shown);
}
