// The top of the page: what the runs show, in a sentence, and the numbers behind it.
import {isImport, type CsvRow, type Page, type Run} from './data';
import {el} from './dom';
import {byteHours, bytes, count, dollars, shortCount} from './format';
import {linesOf, outcomeMark, swatch} from './look';

/** Which invariants tell of an outcome: the first two by name. */
function reasonText(invariants: readonly string[]): string {
  const names = [...new Set(invariants)].filter((name) => name !== '');
  if (names.length === 0) return '';
  return `: ${names.slice(0, 2).join(', ')}${names.length > 2 ? ` and ${names.length - 2} more` : ''}`;
}

function chip(label: string, outcome: string, verdict: string, invariants: readonly string[]): HTMLElement {
  const [mark, says] = outcomeMark(outcome);
  const expected = verdict === 'pass' ? 'as the scenario expects' : `verdict: ${verdict}`;
  return el('li', {class: `chip outcome-${outcome}`, title: `${says}; ${expected}`},
    el('span', {class: 'mark', 'aria-hidden': 'true'}, mark), ` ${label} `,
    el('b', {}, outcome), el('span', {class: 'reason'}, reasonText(invariants)), verdict === 'pass' ? null : el('em', {}, ` ${verdict}`));
}

function number(value: string, label: string, detail = ''): HTMLElement {
  return el('div', {class: 'number'}, el('dt', {}, label), el('dd', {}, value, detail ? el('small', {}, detail) : null));
}

function card(title: string, run: Run, page: Page): HTMLElement {
  const {summary} = run;
  const line = linesOf(page.runs.map((each) => each.label))[page.runs.indexOf(run)]!;
  return el('article', {class: 'card'},
    el('h3', {}, el('span', {class: 'rank'}, title), swatch(line), ` ${run.label}`,
      // The card speaks of one of many seeds.
      page.folders.some((folder) => folder.comparison) ? el('small', {}, `, seed ${run.summary['seed']}`) : null),
    el('dl', {class: 'numbers'},
      number(bytes(Number(summary['peak_garbage_bytes'])), 'peak garbage'),
      number(byteHours(Number(summary['garbage_byte_hours'])), 'byte-hours', 'garbage × time it lay there'),
      number(run.time_to_reclaim, 'time to clean', run.last_fault ? `from the end of ${run.last_fault}` : ''),
      number(`${dollars(Number(summary['cost_usd']))} USD`, 'cost, cleaning included',
        `${shortCount(Number(summary['store_requests']))} store calls, ${shortCount(Number(summary['metadata_records']))} metadata records`)));
}

function copyButton(text: string): HTMLElement {
  const button = el('button', {type: 'button', class: 'copy', onclick: () => void copy()}, 'Copy');
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A file opened from disk may have no clipboard; the old way works there.
      const area = el('textarea', {}, text);
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  }
  return button;
}

/** The numbers that the cards show. */
function numbersOf(run: Run): string {
  const {summary} = run;
  return ['peak_garbage_bytes', 'garbage_byte_hours', 'store_requests', 'metadata_records', 'cost_usd'].map((key) => summary[key]).join() + run.time_to_reclaim;
}

function cards(page: Page): HTMLElement | null {
  if (page.runs.some(isImport)) return null;  // Nothing but its curves and findings is known of it.
  const best = page.runs[page.order[0] ?? -1];
  const worst = page.runs[page.order.at(-1) ?? -1];
  if (!best || !worst) return null;
  const alike = page.runs.every((run) => numbersOf(run) === numbersOf(best));
  if (alike) return el('div', {class: 'cards'}, card(page.runs.length > 1 ? `all ${page.runs.length} alike, as` : '', best, page));
  return el('div', {class: 'cards'}, card('worst', worst, page), card('best', best, page));
}

/** How many runs of each outcome a policy had. */
function chipsOfRows(rows: readonly CsvRow[]): HTMLElement[] {
  const chips: HTMLElement[] = [];
  for (const policy of new Set(rows.map((row) => row['policy'] ?? ''))) {
    const own = rows.filter((row) => row['policy'] === policy);
    for (const outcome of new Set(own.map((row) => row['outcome'] ?? ''))) {
      const alike = own.filter((row) => row['outcome'] === outcome);
      const verdict = alike.find((row) => row['verdict'] !== 'pass')?.['verdict'] ?? 'pass';
      chips.push(chip(`${policy} · ${count(alike.length)} of ${count(own.length)}`, outcome, verdict,
        alike.map((row) => row['first_violation'] ?? '')));
    }
  }
  return chips;
}

/** A name must not break at its hyphen. */
export function unbroken(text: string): string {
  return text.replace(/(\w)-(?=\w)/g, '$1\u2011');
}

export function head(page: Page): HTMLElement {
  // A campaign's outcomes stand in its own part: the runs below are the failures that were kept.
  const isCampaign = page.folders.some((each) => each.campaign);
  const chips = isCampaign ? [] : page.folders.some((each) => each.comparison)
    ? page.folders.flatMap((each) => chipsOfRows(each.rows))
    : page.runs.filter((run) => !isImport(run)).map((run) => chip(run.label, run.summary['outcome'] ?? '', run.summary['verdict'] ?? '',
      run.violations.length > 0 ? run.violations.map((row) => row['invariant'] ?? '') : [run.summary['first_violation'] ?? '']));
  return el('header', {},
    el('p', {class: 'eyebrow'}, page.folders.map(({manifest}) =>
      manifest.kind === 'import' ? `${manifest.scenario} · recorded` : `${manifest.scenario} · ${manifest.seeds.includes('..') ? 'seeds' : 'seed'} ${manifest.seeds}`).join('; ')),
    el('h1', {}, unbroken(page.headline)),
    chips.length > 0 ? el('ul', {class: 'chips', 'aria-label': 'Outcomes'}, ...chips) : null,
    isCampaign ? null : cards(page),
    el('dl', {class: 'words'},
      el('div', {}, el('dt', {}, 'Garbage'), el('dd', {}, 'bytes in the store that a failure left there and nobody will ever read.')),
      el('div', {}, el('dt', {}, 'Waste'), el('dd', {}, 'all bytes nobody will read, for whatever reason: garbage, and what retention has yet to remove.'))),
    ...page.folders.filter((each) => each.reproduce !== '').map((each) => el('p', {class: 'reproduce'},
      el('span', {}, each.manifest.kind === 'import' ? 'What each policy would do from here' : 'Reproduce'), el('code', {}, ...each.reproduce.split(/(?= --)/).map((words) => el('span', {class: 'pair'}, words))), copyButton(each.reproduce))));
}
