// A campaign: how the runs of each policy ended, what failures have in common, and what no seed has reached.
import type {Campaign, Failure, Folder, Standing} from './data';
import {el, section, table} from './dom';
import {count} from './format';

const outcomes = ['clean', 'leak', 'loss'] as const;
const standings: [standing: Standing, title: string, says: string][] = [
  ['unexpected', 'Unexpected', 'nobody expects them: they fail the campaign'],
  ['known', 'Known', '[chaos] known accepts them for now'],
  ['expected', 'As expected', 'the scenario lets the policy break these invariants'],
];

/** One bar a policy: its runs by outcome. */
function bars(campaign: Campaign): HTMLElement {
  return el('div', {class: 'tallies'}, ...campaign.policies.map((row) => {
    const all = row.clean + row.leak + row.loss;
    const says = outcomes.map((outcome) => `${count(row[outcome])} ${outcome}`).join(', ');
    return el('div', {class: 'tally', 'data-policy': row.policy}, el('b', {}, row.policy),
      el('span', {class: 'tally-bar', role: 'img', 'aria-label': says, title: says}, ...outcomes.filter((outcome) => row[outcome] > 0).map((outcome) => {
        const part = el('span', {class: `outcome-${outcome}`});
        part.style.flexGrow = String(row[outcome] / all);
        return part;
      })),
      el('span', {class: 'tally-words'}, says, row.failed > 0 ? el('em', {}, `, ${count(row.failed)} unexpected`) : null));
  }));
}

/** A short word for a state; the whole name is in the tooltip and in failures.csv. */
function stateWord(state: string): string {
  const words = state.split('_').filter((word) => word !== 'SEGMENT');
  return words.length === 1 ? state : words.map((word) => word[0]).join('');
}

function row(failure: Failure, folder: Folder): HTMLTableRowElement {
  const again = failure.folder === '' ? '' : `flotsam replay ${folder.path}/${failure.folder}`;
  return el('tr', {'data-invariant': failure.invariant, 'data-count': failure.count},
    el('td', {class: 'n'}, count(failure.count)), el('th', {scope: 'row'}, failure.policy), el('td', {}, failure.invariant),
    el('td', {class: 'state', title: failure.states}, failure.states.split('>').map(stateWord).join(' > ')),
    el('td', {class: 'fault'}, failure.fault, failure.common !== '' && failure.common !== failure.fault ? el('small', {}, `in each: ${failure.common}`) : null),
    el('td', {class: 'n', title: again}, String(failure.seed)), el('td', {class: 'n'}, count(failure.events)),
    el('td', {class: 'wide'}, el('div', {class: 'clamped', title: failure.message}, failure.message)));
}

function failuresOf(campaign: Campaign, folder: Folder): HTMLElement[] {
  return standings.flatMap(([standing, title, says]) => {
    const own = campaign.failures.filter((failure) => failure.standing === standing).sort((a, b) => b.count - a.count);
    if (own.length === 0) return [];
    const runs = `${count(own.length)} signature${own.length === 1 ? '' : 's'}`;
    const all = table([{right: 'runs'}, 'policy', 'invariant', 'states', 'fault', {right: 'seed'}, {right: 'events'}, 'what was found'],
      own.map((failure) => row(failure, folder)), {class: 'figures'});
    return [standing === 'unexpected' ? el('div', {}, el('h3', {}, `${title}: ${runs}`), all)
      : el('details', {'data-standing': standing}, el('summary', {}, `${title}: ${runs}; ${says}`), all)];
  });
}

function goalsOf(campaign: Campaign): HTMLElement[] {
  const missed = campaign.goals.filter(([, , times]) => times === 0);
  const reached = campaign.goals.filter(([, , times]) => times > 0).sort((a, b) => a[3] - b[3]);
  return [
    el('p', {class: 'says'}, missed.length === 0 ? `Each of ${count(campaign.goals.length)} goals was reached.`
      : `${count(missed.length)} of ${count(campaign.goals.length)} goals were reached by no seed: ${missed.map(([kind, name]) => `${kind} ${name}`).join(', ')}.`),
    el('details', {}, el('summary', {}, 'Goals that were reached, the rarest first'),
      table(['goal', 'kind', {right: 'times'}, {right: 'runs'}], reached.map(([kind, name, times, runs]) => el('tr', {},
        el('th', {scope: 'row'}, name), el('td', {}, kind), el('td', {class: 'n'}, count(times)), el('td', {class: 'n'}, count(runs)))), {class: 'figures'})),
  ];
}

/** The parts of one campaign's folder; none of another's. */
export function campaign(folder: Folder, place: number): HTMLElement[] {
  const own = folder.campaign;
  if (!own) return [];
  const number = place > 0 ? `-${place + 1}` : '';
  const unexpected = own.failures.some((failure) => failure.standing === 'unexpected');
  return [
    section(`campaign${number}`, `Runs of seeds ${folder.manifest.seeds}`, bars(own)),
    section(`signatures${number}`, 'What failures have in common',
      el('p', {class: 'says'}, unexpected ? 'A row stands for all runs in which a copy went through the same states and was left by the same fault; the run with the fewest events is kept.' : 'No failure that nobody expects.'),
      unexpected ? el('p', {class: 'note'}, 'In a terminal ', el('code', {}, `flotsam replay ${folder.path}/failures/NAME`), ' shows a kept one again; failures.csv has the names.') : null,
      ...failuresOf(own, folder),
      own.failures_left_out > 0 ? el('p', {class: 'note'}, `${count(own.failures_left_out)} more are in failures.csv.`) : null),
    section(`goals${number}`, 'What the seeds have reached', ...goalsOf(own)),
  ];
}
