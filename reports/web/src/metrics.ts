// The columns of summary.csv that answer what a policy costs, and how their values read.
import {byteHours, bytes, dollars, duration, shortCount} from './format';

export interface Metric {
  column: string;
  name: string;
  text: (value: number) => string;
}

const reclaim: Metric = {column: 'reclaim_ms', name: 'time to clean', text: (value) => duration(Math.round(value), 2)};

/** Those that every run has, so that they have a mean. */
export const metrics: readonly Metric[] = [
  {column: 'peak_garbage_bytes', name: 'peak garbage', text: bytes},
  {column: 'garbage_byte_hours', name: 'byte-hours', text: byteHours},
  {column: 'garbage_bytes_end', name: 'garbage at end', text: bytes},
  {column: 'garbage_bytes_never', name: 'never freed', text: bytes},
  {column: 'ghosts_end', name: 'ghosts at end', text: shortCount},
  {column: 'over_deleted_bytes', name: 'over-deleted', text: bytes},
  {column: 'copy_failures', name: 'failed copies', text: shortCount},
  {column: 'store_requests', name: 'store calls', text: shortCount},
  {column: 'metadata_records', name: 'metadata records', text: shortCount},
  {column: 'cost_usd', name: 'cost, USD', text: dollars},
];

/** And the one that a run has only if it was clean before its world ended. */
export const allMetrics: readonly Metric[] = [...metrics.slice(0, 2), reclaim, ...metrics.slice(2)];

export function signed(metric: Metric, value: number): string {
  const text = metric.text(value);
  return value > 0 && text !== '0' ? `+${text}` : text;
}
