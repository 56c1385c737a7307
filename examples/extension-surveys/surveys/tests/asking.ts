import { openWindow, recordOf, type TestAccount, type World } from 'parley/testing';

export const SURVEYS = '/api/v1/surveys/';

/** A survey as the API shows it. */
export interface SurveyBody {
  readonly id: string;
  readonly closes_at: string;
}

/** Creates a survey with two options. */
export async function createSurvey({ api }: TestAccount, more: Record<string, unknown> = {}): Promise<SurveyBody> {
  const asked = { question: 'Did you like it?', options: ['Yes', 'No'], ...more };
  const { status, body, text } = await api.post<{ survey: SurveyBody }>(SURVEYS, asked);
  if (status !== 201) throw new Error(text);
  return body.survey;
}

/** A message with a survey, which a contact got. */
export interface Asked {
  readonly surveyId: string;
  readonly contactId: string;
  readonly contactPhone: string;
  /** The network's id of the message. */
  readonly networkId: string;
}

/** Sends a survey to a contact, who has just written. */
export async function ask(world: World, account: TestAccount, surveyId: string, contactPhone: string): Promise<Asked> {
  await openWindow(world, account.phone, contactPhone);
  const { body: sent } = await account.api.post(`${SURVEYS}${surveyId}/send`, { contact_phone: contactPhone });
  const { network_message_id } = await recordOf(account, sent['message_id']);
  return { surveyId, contactId: String(sent['contact_id']), contactPhone, networkId: String(network_message_id) };
}

/**
 * Lets the contact tap a button: that of an option, or one with another id.
 *
 * @param secondsAgo when
 */
export async function tap(
  world: World,
  account: TestAccount,
  asked: Asked,
  option: number | string,
  secondsAgo = 0,
): Promise<void> {
  await openWindow(world, account.phone, asked.contactPhone, {
    type: 'button_reply',
    text: undefined,
    button_id: typeof option === 'string' ? option : `surveys:${asked.surveyId}:${option}`,
    title: 'A button',
    context_id: asked.networkId,
    timestamp: Math.floor(Date.now() / 1000) - secondsAgo,
  });
}
