/** Injection token of the process's {@link Environment}. */
export const ENVIRONMENT = Symbol('environment');
