/**
 * How everything begins that the guards of all tests report. What they find is a fault of Parley, even if it shows only
 * now and then, so `.ci/run` (scripts/ci-summary.mjs) doesn't repeat a test file that failed with it.
 */
export const GUARD_BEGINNING = 'A guard of all tests found';

/** @param fault continues the sentence, such as `statements without a tenant: …` */
export const guardFailure = (fault: string): Error => new Error(`${GUARD_BEGINNING} ${fault}`);
