import { jobKind } from 'parley';

/** Counts the answers of a closed survey. */
export const SURVEYS_COUNT = jobKind<{ account_id: string; survey_id: string }>('surveys.count.v1', 'surveys');
