// What each policy and each state looks like. Dashes and shapes tell the same without any colour.
import {css, isDark} from './dom';

export interface Line {
  colour: string;
  dark: string;
  dash: number[];
}

/**
 * The first six, which the known policies have, are as far from each other as a search found (36 or more by CIE's
 * distance of 1976), for full colour vision and for each of the three kinds of dichromacy; each stands out from the
 * page by 3 to 1 or more.
 */
const lines: Line[] = [
  {colour: '#0152DC', dark: '#217CEE', dash: []},
  {colour: '#C68900', dark: '#B26300', dash: [9, 4]},
  {colour: '#0CAA70', dark: '#10DF7D', dash: [2, 3]},
  {colour: '#AC0E85', dark: '#EB3394', dash: [10, 3, 2, 3]},
  {colour: '#632C01', dark: '#FACC03', dash: [14, 3, 2, 3, 2, 3]},
  {colour: '#000000', dark: '#F2F2F2', dash: [20, 5]},
  {colour: '#56B4E9', dark: '#8CCBF0', dash: [2, 7]},
  {colour: '#7A8794', dark: '#98A4B0', dash: [6, 2]},
];

/** A policy keeps its look from picture to picture, whoever else is in it. */
const known = ['kip-dangling', 'kafka-4.0', 'kip-dangling-recovery', 'kafka-4.3', 'kafka-3.9', 'kafka-3.6'];

/** Runs of one policy from several folders or seeds have its colour, and these dashes in turn from the second on. */
const twinDashes = [[3, 6], [1.5, 8], [7, 9]];

export function linesOf(labels: readonly string[]): Line[] {
  const names = labels.map((label) => label.replace(/ \(.*\)$/, ''));
  const places = new Map(names.filter((name) => known.includes(name)).map((name) => [name, known.indexOf(name)]));
  for (const name of names) {
    if (places.has(name)) continue;
    const taken = [...places.values()];
    const free = lines.findIndex((_, place) => !taken.includes(place));
    places.set(name, free >= 0 ? free : places.size % lines.length);
  }
  return names.map((name, i) => {
    const line = lines[places.get(name)!]!;
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? line : {...line, dash: twinDashes[(before - 1) % twinDashes.length]!};
  });
}

export function colourOf(line: Line): string {
  return isDark() ? line.dark : line.colour;
}

/** A short piece of the line, for tables and chips. */
export function swatch(line: Line): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [key, value] of Object.entries({width: '38', height: '8', viewBox: '0 0 38 8', class: 'swatch', 'aria-hidden': 'true'})) {
    svg.setAttribute(key, value);
  }
  for (const scheme of ['light', 'dark'] as const) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', 'M0 4H38');
    path.setAttribute('class', `only-${scheme}`);
    path.setAttribute('stroke', scheme === 'dark' ? line.dark : line.colour);
    path.setAttribute('stroke-width', '2.5');
    path.setAttribute('stroke-dasharray', line.dash.join(' '));
    svg.append(path);
  }
  return svg;
}

export const states = [
  'COPY_SEGMENT_STARTED', 'COPY_SEGMENT_FINISHED', 'DELETE_SEGMENT_STARTED', 'DELETE_SEGMENT_FINISHED', 'DANGLING',
] as const;

/** Where in its lane a state's bar stands (from, to; of 1), so that it can be told without colour. */
export interface StateLook {
  colour: string;
  top: number;
  bottom: number;
  striped: boolean;
  says: string;
}

export function stateLook(state: string): StateLook {
  switch (state) {
    case 'COPY_SEGMENT_STARTED':
      return {colour: css('--state-copying'), top: 0, bottom: 0.5, striped: false, says: 'upper half'};
    case 'COPY_SEGMENT_FINISHED':
      return {colour: css('--state-finished'), top: 0, bottom: 1, striped: false, says: 'full'};
    case 'DELETE_SEGMENT_STARTED':
      return {colour: css('--state-deleting'), top: 0.5, bottom: 1, striped: false, says: 'lower half'};
    case 'DANGLING':
      return {colour: css('--state-dangling'), top: 0, bottom: 1, striped: true, says: 'striped'};
    default:
      return {colour: css('--state-gone'), top: 0.45, bottom: 0.55, striped: false, says: 'hairline'};
  }
}

const outcomes: Record<string, [mark: string, says: string]> = {
  clean: ['●', 'nothing was left for good'],
  leak: ['▲', 'garbage stayed longer than it should'],
  loss: ['✖', 'data that somebody could read is gone'],
  unknown: ['?', 'the run could not tell'],
};

export function outcomeMark(outcome: string): [mark: string, says: string] {
  return outcomes[outcome] ?? ['?', ''];
}
