// A comparison: what one policy cost more or less than another under the same seeds, with 95 % intervals.
import type {CsvRow} from './data';
import {el, section} from './dom';
import {bytes, count, shortCount} from './format';

const metrics: [name: string, says: string, kind: 'bytes' | 'count' | 'usd'][] = [
  ['peak_garbage_bytes', 'peak garbage', 'bytes'], ['garbage_byte_hours', 'byte-hours', 'bytes'],
  ['garbage_bytes_end', 'garbage at end', 'bytes'], ['garbage_bytes_never', 'never freed', 'bytes'],
  ['ghosts_end', 'ghosts at end', 'count'], ['over_deleted_bytes', 'over-deleted', 'bytes'],
  ['copy_failures', 'failed copies', 'count'], ['store_requests', 'store calls', 'count'],
  ['metadata_records', 'metadata records', 'count'], ['cost_usd', 'cost, USD', 'usd'],
];

function text(value: number, kind: string): string {
  if (kind === 'bytes') return bytes(value);
  return kind === 'usd' ? value.toFixed(4).replace('-', '−') : shortCount(value);
}

function signed(value: number, kind: string): string {
  return value > 0 ? `+${text(value, kind)}` : text(value, kind);
}

/** A line from bound to bound and a dot at the mean, over a zero line that all rows share. */
function plot(mean: number, low: number, high: number, reach: number): HTMLElement {
  const at = (value: number): string => `${50 + (reach > 0 ? (value / reach) * 46 : 0)}%`;
  const side = high < 0 ? 'less' : low > 0 ? 'more' : 'even';
  const line = el('span', {class: 'interval'});
  line.style.left = at(low);
  line.style.right = `calc(100% - ${at(high)})`;
  const dot = el('span', {class: 'dot'});
  dot.style.left = at(mean);
  return el('div', {class: `forest-plot ${side}`, 'aria-hidden': 'true'}, el('span', {class: 'zero'}), line, dot);
}

/** Half the width of a metric's scale: one for all cards, so that they can be compared. */
function reachOf(metric: string, rows: readonly CsvRow[]): number {
  const own = rows.filter((row) => row['metric'] === metric);
  return Math.max(0, ...own.flatMap((row) => ['ci95_low', 'ci95_high', 'mean_a'].map((key) => Math.abs(Number(row[key])))));
}

function block(a: string, b: string, rows: readonly CsvRow[], all: readonly CsvRow[]): HTMLElement {
  const find = (metric: string): CsvRow | undefined => rows.find((row) => row['metric'] === metric);
  const lines = metrics.flatMap(([metric, says, kind]) => {
    const row = find(metric);
    if (!row || row['mean_difference'] === '') return [];
    const [mean, low, high] = ['mean_difference', 'ci95_low', 'ci95_high'].map((key) => Number(row[key])) as [number, number, number];
    const reach = reachOf(metric, all);
    return [el('div', {class: 'forest-row', 'data-metric': metric, 'data-mean': mean},
      el('span', {class: 'what'}, says), plot(mean, low, high, reach),
      el('span', {class: 'n'}, signed(mean, kind), el('small', {}, `${signed(low, kind)} to ${signed(high, kind)}`)))];
  });
  const reclaim = find('reclaim_ms');
  const share = (key: string): string => `${Math.round(Number(reclaim?.[key] ?? 0) * 100)} %`;
  return el('article', {class: 'card forest'},
    el('h3', {}, b, el('small', {}, ` against ${a}, ${count(Number(rows[0]?.['n'] ?? 0))} pairs`)),
    ...lines,
    reclaim ? el('p', {class: 'note'}, `Clean again before the world ended: ${share('share_reclaimed_b')} of the runs, against ${share('share_reclaimed_a')}.`) : null);
}

function pairs(rows: readonly CsvRow[]): Map<string, CsvRow[]> {
  const found = new Map<string, CsvRow[]>();
  for (const row of rows) {
    const key = `${row['policy_a']}\n${row['policy_b']}`;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found;
}

export function forest(rows: readonly CsvRow[]): HTMLElement {
  return section('differences', 'Differences under the same seeds',
    el('p', {class: 'says'}, 'Each row has its own scale, the same on all cards and at least as wide as the baseline’s mean: the dot is the mean of the paired differences, the bar its 95 % interval, ',
      'the line in the middle is no difference. Left and blue: less than the baseline; right and orange: more; grey and hollow: it may be either, or there is none.'),
    el('div', {class: 'cards'}, ...[...pairs(rows)].map(([key, own]) => block(key.split('\n')[0]!, key.split('\n')[1]!, own, rows))));
}

/** What the comparison shows, in one sentence: the last policy against the baseline. */
export function comparisonHeadline(rows: readonly CsvRow[]): string {
  const all = [...pairs(rows)];
  const [key, own] = all.find(([pair]) => pair.endsWith('\nkip-dangling')) ?? all.at(-1) ?? ['', []];
  const row = own.find((each) => each['metric'] === 'peak_garbage_bytes');
  if (!row) return '';
  const [a, b] = key.split('\n') as [string, string];
  const value = (column: string): number => Number(row[column]);
  const [difference, low, high] = [value('mean_difference'), value('ci95_low'), value('ci95_high')];
  const peaks = `Over ${row['n']} seeds garbage peaked at ${bytes(value('mean_b'))} under ${b} and at ${bytes(value('mean_a'))} under ${a}`;
  if (low <= 0 && high >= 0) return `${peaks}; the difference may be chance (95 % interval ${signed(low, 'bytes')} to ${signed(high, 'bytes')}).`;
  const [near, far] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
  return `${peaks}: ${bytes(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'} (95 % interval ${bytes(near)} to ${bytes(far)}).`;
}
