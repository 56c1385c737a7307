/** Distinguishes one run of a pid from another; undefined when no such process lives (a zombie does not). */
export function processStart(pid: number): string | undefined;

/** Whether the process that wrote `{ pid, start }` still lives. */
export function isAlive(process: { pid: number; start?: string | undefined }): boolean;
