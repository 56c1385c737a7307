/** Distinguishes processes with the same pid; undefined if there is no such process, or only a zombie. */
export function processStart(pid: number): string | undefined;

/** Whether the process that wrote `{ pid, start }` is still alive. */
export function isAlive(process: { pid: number; start?: string | undefined }): boolean;
