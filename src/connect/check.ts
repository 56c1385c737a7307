/** What is checked, in the order in which somebody would mend it. */
export const CHECKS = [
  'app',
  'token',
  'token_app',
  'permissions',
  'business_account',
  'registration',
  'subscription',
  'callback_url',
  'fields',
  'name',
  'quality',
  'health',
  'payment',
  'live_mode',
  'reports',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** `failed` keeps messages or reports from flowing; `unknown` cannot be found out, or not yet. */
export const CHECK_RESULTS = ['ok', 'warning', 'failed', 'unknown'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** One finding about the connection of a business phone. */
export interface Check {
  readonly check: CheckName;
  readonly result: CheckResult;
  /** What was found, and how. */
  readonly found: string;
  /** What is wrong, in words for somebody who does not know Meta's console; null if nothing is. */
  readonly problem: string | null;
  /** Where to mend it, with the heading of docs/connect.md; null if there is nothing to do. */
  readonly advice: string | null;
}

/** The heading of docs/connect.md that says how to get each check right. */
export const HEADINGS: Readonly<Record<CheckName, string>> = {
  app: 'The app and its secret',
  token: 'A token that does not expire',
  token_app: 'A token that does not expire',
  permissions: 'The permissions',
  business_account: 'The ids',
  registration: 'Register the number',
  subscription: 'Subscribe the app',
  callback_url: 'The callback URL',
  fields: 'The fields',
  name: 'The display name',
  quality: 'The display name',
  health: 'The health of the account',
  payment: 'The payment method',
  live_mode: 'Live mode',
  reports: 'When no reports come',
};

export const ok = (check: CheckName, found: string): Check => ({
  check,
  result: 'ok',
  found,
  problem: null,
  advice: null,
});

/** A finding that needs somebody. @param advice a sentence, to which the heading is added */
export const finding = (
  check: CheckName,
  result: Exclude<CheckResult, 'ok'>,
  { found, problem, advice }: { readonly found: string; readonly problem: string; readonly advice: string },
): Check => ({ check, result, found, problem, advice: `${advice} See “${HEADINGS[check]}” in docs/connect.md.` });

/** Whether messages and reports can flow, as far as can be known. */
export const isConnected = (checks: readonly Check[]): boolean => checks.every(({ result }) => result !== 'failed');
