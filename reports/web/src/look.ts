// What each policy and each state looks like. Okabe and Ito's colours; dashes and shapes tell the same without any.
import {css, isDark} from './dom';

export interface Line {
  colour: string;
  dark: string;
  dash: number[];
}

const lines: Line[] = [
  {colour: '#0072B2', dark: '#56B4E9', dash: []},
  {colour: '#D55E00', dark: '#F0863A', dash: [8, 4]},
  {colour: '#009E73', dark: '#2CCB9F', dash: [2, 3]},
  {colour: '#CC79A7', dark: '#E3A3C6', dash: [10, 3, 2, 3]},
  {colour: '#E69F00', dark: '#F2B632', dash: [5, 3]},
  {colour: '#000000', dark: '#E8E8E8', dash: [1.5, 3]},
  {colour: '#56B4E9', dark: '#8CCBF0', dash: [12, 3, 2, 3, 2, 3]},
  {colour: '#7A6A00', dark: '#F0E442', dash: [16, 4]},
];

/** A policy keeps its look from picture to picture, whoever else is in it. */
const known = ['kip-dangling', 'kafka-4.0', 'kip-dangling-recovery', 'kafka-4.3', 'kafka-3.9', 'kafka-3.6'];

export function linesOf(labels: readonly string[]): Line[] {
  const taken = new Set<number>();
  const looks = labels.map((label) => {
    const place = known.indexOf(label.replace(/ \(.*\)$/, ''));
    if (place < 0 || taken.has(place)) return -1;
    taken.add(place);
    return place;
  });
  return looks.map((place) => {
    if (place < 0) {
      place = lines.findIndex((_, candidate) => !taken.has(candidate));
      if (place < 0) place = 0;
      taken.add(place);
    }
    return lines[place]!;
  });
}

export function colourOf(line: Line): string {
  return isDark() ? line.dark : line.colour;
}

/** A short piece of the line, for tables and chips. */
export function swatch(line: Line): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  for (const [key, value] of Object.entries({width: '28', height: '8', viewBox: '0 0 28 8', class: 'swatch', 'aria-hidden': 'true'})) {
    svg.setAttribute(key, value);
  }
  for (const scheme of ['light', 'dark'] as const) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', 'M0 4H28');
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
