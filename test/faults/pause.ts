/** Lets time pass: how long a fault lasts, or how long a service is watched. Nothing is waited for this way. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
