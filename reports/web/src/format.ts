// Numbers as people read them; the same words as the terminal's table.

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

export function bytes(value: number): string {
  const size = Math.abs(value);
  let unit = 0;
  let scaled = size;
  while (scaled >= 1023.5 && unit + 1 < units.length) {
    scaled /= 1024;
    ++unit;
  }
  if (size === 0) return '0';
  const digits = unit > 0 && scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled).toString();
  return `${value < 0 ? '−' : ''}${digits} ${units[unit]}`;
}

/** An amount times the hours that it lay there. */
export function byteHours(value: number): string {
  return value === 0 ? '0' : `${bytes(value)}·h`;
}

/** An amount of US dollars, with two digits that tell something and cents at least: 12.30, 0.015. */
export function dollars(value: number): string {
  if (Math.abs(value) < 5e-7) return '0';
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(Math.abs(value)))));
  return value.toFixed(digits).replace('-', '−');
}

/** 1,234,567 */
export function count(value: number): string {
  return value.toLocaleString('en-US').replace('-', '−');
}

/** 950, 1.2k, 340k, 5.1M */
export function shortCount(value: number): string {
  let scaled = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  for (const suffix of ['', 'k', 'M', 'G']) {
    if (scaled < 999.5 || suffix === 'G') {
      return `${sign}${suffix !== '' && scaled < 9.95 ? scaled.toFixed(1) : +scaled.toFixed(suffix === '' ? 1 : 0)}${suffix}`;
    }
    scaled /= 1000;
  }
  return '';
}

const parts: [name: string, ms: number][] = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000], ['ms', 1]];

/** The greatest units of a span, as many as asked: 1d 2h 3m. */
export function duration(ms: number, most = 2): string {
  if (ms === 0) return '0';
  const words: string[] = [];
  let rest = Math.abs(ms);
  let from = -1;
  parts.forEach(([name, size], place) => {
    const whole = Math.floor(rest / size);
    if (whole > 0 && from < 0) from = place;
    if (whole > 0 && place < from + most) words.push(`${whole}${name}`);
    rest -= whole * size;
  });
  return (ms < 0 ? '−' : '') + words.join(' ');
}

/** The world's own clock, exact: 1d 02:03:04.567 */
export function worldTime(ms: number): string {
  const day = Math.floor(ms / 86_400_000);
  const rest = ms - day * 86_400_000;
  const text = new Date(rest).toISOString().slice(11, 23).replace('.000', '');
  return day > 0 ? `${day}d ${text}` : text;
}

/** Clock time of an instant of the world, UTC. */
export function clockTime(start: string, ms: number): string {
  const at = Date.parse(start);
  if (Number.isNaN(at)) return '';
  return new Date(at + ms).toISOString().replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

/** Widest common gap between two marks of a time axis. */
export const timeSteps = [
  1, 10, 100, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000,
  21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000, 7_776_000_000,
];

/** Marks from `from` to `to`, on whole steps of the world's time, or of the clock if `start` is given. */
export function timeMarks(from: number, to: number, step: number, start = ''): number[] {
  const at = Date.parse(start);
  const shift = Number.isNaN(at) ? 0 : at % step;
  const marks: number[] = [];
  for (let mark = Math.ceil((from + shift) / step) * step - shift; mark <= to; mark += step) marks.push(mark);
  return marks;
}

export function timeMark(ms: number, step: number): string {
  if (ms === 0) return '0';
  if (step >= 86_400_000) return `${Math.round(ms / 86_400_000)}d`;
  return duration(ms, step < 60_000 ? 4 : 3);
}

export function clockMark(start: string, ms: number, step: number): string {
  const at = Date.parse(start);
  if (Number.isNaN(at)) return '';
  const iso = new Date(at + ms).toISOString();
  if (step >= 86_400_000) return iso.slice(5, 10);
  const time = step < 1000 ? iso.slice(11, 23) : step < 60_000 ? iso.slice(11, 19) : iso.slice(11, 16);
  return `${time}\n${iso.slice(5, 10)}`;
}
