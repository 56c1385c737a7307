import { readFileSync } from 'node:fs';

/** Memory of a process in MB: resident now (`VmRSS`) or at its peak (`VmHWM`). Linux only. */
export function memoryOf(pid: number, kind: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}
