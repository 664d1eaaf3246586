// The copies of one run, as columns; what a lane or a story needs is read out of them when it is asked for.
import {addUp, unpack} from './data';

interface PackedSteps {
  counts: number[];
  times: number[];
  /** Of transitions only. */
  events?: number[];
  kinds: number[];
  /** Steps as differences, last times as distances from the step's own. */
  folds: {steps: number[]; counts: number[]; lasts: number[]};
  left_out: [copy: number, count: number][];
}

interface PackedLanes {
  transition_kinds: string[];
  call_kinds: string[];
  removers: string[];
  partitions: [topic: string, index: number, copies: number][];
  /** Numbers in the list that all runs share, as differences. */
  ids: number[];
  partition_of: number[];
  start_offsets: number[];
  offset_counts: number[];
  transitions: PackedSteps;
  calls: PackedSteps;
  /** Copies as differences; times as distances from the copy's first transition (became) or its last. */
  leftovers: Record<'copies' | 'bytes' | 'became' | 'causes' | 'reclaimed_by' | 'due_by', number[]>
    & Record<'reclaimed' | 'due', (number | null)[]>;
  leaders: [time: number, partition: number, broker: number, detail: string][];
}

export interface Step {
  time: number;
  /** Nothing for a request. */
  event: number | null;
  words: string[];
  /** More than once where a cycle was folded. */
  count: number;
  lastTime: number;
}

export interface Leftover {
  bytes: number;
  became: number;
  reclaimed: number | null;
  cause: number;
  reclaimedBy: string;
  dueBy: string;
  due: number | null;
}

/** The steps of all copies in one list; `first[copy]` is where a copy's begin. */
class Steps {
  readonly first: Uint32Array;
  readonly folds: Map<number, [count: number, lastTime: number]>;
  readonly leftOut: Map<number, number>;
  readonly times: number[];
  readonly events: number[] | null;
  readonly kinds: number[];
  readonly words: string[][];

  constructor(packed: PackedSteps, kinds: string[]) {
    this.first = new Uint32Array(packed.counts.length + 1);
    packed.counts.forEach((count, copy) => (this.first[copy + 1] = this.first[copy]! + count));
    this.times = addUp(packed.times);
    const {steps, counts, lasts} = packed.folds;
    this.folds = new Map(addUp(steps).map((step, i) => [step, [counts[i]!, this.times[step]! + lasts[i]!]]));
    this.leftOut = new Map(packed.left_out);
    this.events = packed.events ? addUp(packed.events) : null;
    this.kinds = packed.kinds;
    this.words = kinds.map((kind) => kind.split(','));
  }

  of(copy: number): Step[] {
    const list: Step[] = [];
    for (let step = this.first[copy]!; step < this.first[copy + 1]!; ++step) {
      const [count, lastTime] = this.folds.get(step) ?? [1, this.times[step]!];
      list.push({time: this.times[step]!, event: this.events?.[step] ?? null, words: this.words[this.kinds[step]!]!, count, lastTime});
    }
    return list;
  }
}

export class Lanes {
  readonly transitions: Steps;
  readonly calls: Steps;
  readonly leftovers = new Map<number, Leftover>();
  /** Leader changes after the world's start, by partition. */
  readonly leaders = new Map<number, [time: number, broker: number, detail: string][]>();
  /** Partitions, those with most left first; copies of each, leftovers first. */
  readonly order: {partition: number; copies: number[]; leftBytes: number; leftCount: number}[];

  constructor(private readonly packed: PackedLanes, private readonly ids: readonly string[]) {
    addUp(packed.ids);
    this.transitions = new Steps(packed.transitions, packed.transition_kinds);
    this.calls = new Steps(packed.calls, packed.call_kinds);
    const left = packed.leftovers;
    const {first, times} = this.transitions;
    const later = (copy: number, distance: number | null): number | null =>
      (distance === null ? null : distance + (first[copy]! < first[copy + 1]! ? times[first[copy + 1]! - 1]! : 0));
    addUp(left.copies).forEach((copy, i) => this.leftovers.set(copy, {
      bytes: left.bytes[i]!, became: left.became[i]! + this.beginOf(copy), reclaimed: later(copy, left.reclaimed[i] ?? null),
      cause: left.causes[i]!, reclaimedBy: packed.removers[left.reclaimed_by[i]!] ?? '', dueBy: packed.removers[left.due_by[i]!] ?? '',
      due: later(copy, left.due[i] ?? null),
    }));
    for (const [time, partition, broker, detail] of packed.leaders) {
      if (time > 0) this.leaders.set(partition, [...(this.leaders.get(partition) ?? []), [time, broker, detail]]);
    }
    this.order = this.sort();
  }

  private sort(): Lanes['order'] {
    const groups = this.packed.partitions.map((_, partition) => ({partition, copies: [] as number[], leftBytes: 0, leftCount: 0}));
    this.packed.partition_of.forEach((partition, copy) => {
      const group = groups[partition]!;
      group.copies.push(copy);
      const leftover = this.leftovers.get(copy);
      if (leftover) {
        ++group.leftCount;
        group.leftBytes += leftover.bytes;
      }
    });
    const rank = (copy: number): number => {
      const leftover = this.leftovers.get(copy);
      return leftover ? leftover.bytes + 1 : 0;
    };
    for (const group of groups) group.copies.sort((a, b) => rank(b) - rank(a) || this.beginOf(a) - this.beginOf(b));
    return groups.filter((group) => group.copies.length > 0)
      .sort((a, b) => b.leftBytes - a.leftBytes || b.leftCount - a.leftCount || a.partition - b.partition);
  }

  get count(): number {
    return this.packed.ids.length;
  }
  id(copy: number): string {
    return this.ids[this.packed.ids[copy]!]!;
  }
  partitionOf(copy: number): number {
    return this.packed.partition_of[copy]!;
  }
  partitionName(partition: number): string {
    const [topic, index] = this.packed.partitions[partition]!;
    return `${topic}-${index}`;
  }
  /** By its topic, or by topic and number. */
  isNamed(partition: number, name: string): boolean {
    return this.packed.partitions[partition]![0] === name || this.partitionName(partition) === name;
  }
  /** All the partition's copies, shown or not. */
  copiesOf(partition: number): number {
    return this.packed.partitions[partition]![2];
  }
  offsets(copy: number): [first: number, last: number] {
    const first = this.packed.start_offsets[copy]!;
    return [first, first + this.packed.offset_counts[copy]! - 1];
  }
  beginOf(copy: number): number {
    const {first, times} = this.transitions;
    return first[copy]! < first[copy + 1]! ? times[first[copy]!]! : 0;
  }
}

const read = new Map<number, Promise<Lanes>>();
let ids: Promise<string[]> | undefined;

/** A run's lanes, unpacked once and when they are first asked for. */
export function lanesOf(run: number): Promise<Lanes> {
  let lanes = read.get(run);
  if (!lanes) {
    ids ??= unpack('ids') as Promise<string[]>;
    lanes = Promise.all([unpack(`lanes-${run}`), ids]).then(([packed, names]) => new Lanes(packed as PackedLanes, names));
    read.set(run, lanes);
  }
  return lanes;
}
