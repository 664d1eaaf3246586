// Builds the page from top to bottom.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import {believed} from './believed';
import {campaign} from './campaign';
import {causes} from './causes';
import {isImport, readPage, type Page} from './data';
import {el} from './dom';
import {findings} from './findings';
import {forest} from './forest';
import {count} from './format';
import {head} from './head';
import {lanes} from './lanes';
import {linesOf, swatch} from './look';
import {picture} from './picture';
import {scenario, violations, words} from './rest';
import {seeds} from './seeds';
import {State} from './state';

/** The policy that the parts below the picture speak of; it stays in view. Where it is narrow a list takes less room. */
function chooser(state: State): HTMLElement {
  const runs = state.page.runs;
  const looks = linesOf(runs.map((run) => run.label));
  const buttons = runs.map((run, place) => el('button', {type: 'button', 'aria-pressed': place === state.run,
    onclick: () => state.choose(place)}, swatch(looks[place]!), ` ${run.label}`));
  const select = el('select', {'aria-label': 'Policy', onchange: () => state.choose(select.selectedIndex)},
    ...runs.map((run) => el('option', {}, run.label)));
  select.selectedIndex = state.run;
  state.on('run', () => {
    select.selectedIndex = state.run;
    buttons.forEach((button, place) => button.setAttribute('aria-pressed', String(place === state.run)));
  });
  return el('nav', {class: 'chooser', 'aria-label': 'Policy'}, el('span', {}, 'In detail:'),
    el('div', {class: 'buttons', role: 'group'}, ...buttons), select);
}

/** A comparison begins with its differences; of several folders each has its own. */
function comparisons(page: Page, top: HTMLElement): HTMLElement[] {
  const compared = page.folders.filter((folder) => folder.comparison && folder.comparison.pairs.length > 0);
  const own: string[] = [];
  const tell = (): void => {
    const text = own.filter((each) => each !== '').join(' ');
    if (text !== '') top.querySelector('h1')!.textContent = text;
  };
  const differences: HTMLElement[] = [];
  const means: HTMLElement[] = [];
  page.folders.filter((folder) => folder.comparison).forEach((folder) => {
    const place = compared.indexOf(folder);
    const name = compared.length > 1 ? `, ${folder.manifest.scenario}` : '';
    const number = place > 0 ? `-${place + 1}` : '';
    if (place >= 0) {
      differences.push(forest(folder, `differences${number}`, `Differences under the same seeds${name}`, (text) => {
        own[place] = compared.length > 1 ? `${folder.manifest.scenario}: ${text}` : text;
        tell();
      }));
    }
    means.push(seeds(folder, `means${place > 0 ? number : place < 0 ? '-alone' : ''}`, `Means and seeds${name}`));
  });
  return [...differences, ...means];
}

async function main(): Promise<void> {
  const page = await readPage();
  const target = document.getElementById('page')!;
  const top = head(page);
  const parts: HTMLElement[] = [top, ...comparisons(page, top), ...page.folders.flatMap(campaign)];
  if (page.runs_left_out > 0) {
    parts.push(el('p', {class: 'note'}, `${count(page.runs_left_out)} more kept runs are not on this page; name their folders to see them.`));
  }
  if (page.runs.length > 0) {
    const state = new State(page);
    const withCurves = page.runs.some((run) => run.curves.time_ms.length > 0);
    if (withCurves) parts.push(picture(state));
    if (page.runs.length > 1) parts.push(chooser(state));
    if (withCurves && !page.runs.some(({curves}) => curves.unknown.includes('metric_dangling_bytes'))) parts.push(believed(state));
    if (page.runs.some(isImport)) parts.push(findings(state));
    parts.push(causes(state), lanes(state));
    if (!page.runs.every(isImport)) parts.push(violations(state));
    parts.push(scenario(state));
  } else if (!page.folders.some((folder) => folder.campaign)) {
    parts.push(el('p', {class: 'note'}, 'No run of this folder was kept, so there are no curves and no lanes: --keep curves or --keep all keeps them.'));
  }
  parts.push(words());
  parts.push(el('footer', {}, `flotsam ${page.folders[0]?.manifest.version ?? ''}. This file holds all that it shows and asks no server for anything.`));
  target.replaceChildren(...parts);
  document.documentElement.dataset['ready'] = 'yes';
  performance.mark('ready');
}

void main();
