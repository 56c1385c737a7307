import { isRecordId, type RecordId } from 'parley';

const PREFIX = 'surveys';

/** An option of a survey, as the button that stands for it says. */
export interface Choice {
  readonly surveyId: RecordId;
  /** The number of the option, from 1. */
  readonly choice: number;
}

/** The id of the button for an option. It comes back with the tap. */
export const buttonId = ({ surveyId, choice }: Choice): string => `${PREFIX}:${surveyId}:${choice}`;

/** The option that a button stands for; null for the buttons of others. */
export function choiceOf(id: string): Choice | null {
  const [prefix, surveyId, choice = '', ...rest] = id.split(':');
  if (prefix !== PREFIX || !isRecordId(surveyId) || !/^[1-9]$/.test(choice) || rest.length > 0) return null;
  return { surveyId, choice: Number(choice) };
}
