/** Lets time pass for a fault or an observation. To wait for a condition, use `until`. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
