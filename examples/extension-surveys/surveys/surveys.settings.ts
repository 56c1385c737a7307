import { parseNumber, Settings, setting } from 'parley';

/** The environment variables of surveys. */
export class SurveysSettings extends Settings({
  /** How long a survey is open that does not say when it closes. */
  openDays: setting('SURVEYS_OPEN_DAYS', '30', parseNumber(1, 365)),
}) {}
