import type { VARIABLE_COLUMNS } from '../people/contact-columns.js';
import type { ButtonInput, SendingInput } from '../templates/rendering/sending-input.js';
import type { RenderableTemplate } from '../templates/rendering/template-message.js';

/** A contact field that a template variable can be filled from. */
export type ContactField = (typeof VARIABLE_COLUMNS)[number];

/** A variable filled from the contact when the recipient is sent to. */
export interface ContactFieldValue {
  readonly contactField: ContactField;
  /** Used when the field is empty; null: no fallback. */
  readonly fallback: string | null;
}

/** The value of one body variable: literal text, or a contact field. */
export type BodyValue = string | ContactFieldValue;

/** One recipient's own values, which override the campaign's. JSON-safe; variable names are in lower case. */
export interface PersonalValues {
  readonly bodyData?: Readonly<Record<string, BodyValue>>;
  readonly headerData?: Readonly<Record<string, string>>;
  readonly buttonParams?: readonly ButtonInput[];
  readonly mediaUrl?: string;
  /** What the caller calls the message. */
  readonly reference?: string;
  /** Present beside a reference if the recipient has a one-time code of its own, which is stored apart. */
  readonly hasCode?: true;
}

/** Whether a recipient gets another message than the others: a reference alone changes nothing about it. */
export const fillsSomething = (personal: PersonalValues | null): boolean =>
  personal !== null && (personal.reference === undefined || FILLING.some((name) => personal[name] !== undefined));

const FILLING = ['bodyData', 'headerData', 'buttonParams', 'mediaUrl'] as const;

/** The template values shared by all recipients of a campaign, as given by the caller. */
export interface CampaignContent extends Omit<SendingInput, 'bodyData'> {
  readonly bodyData: Readonly<Record<string, BodyValue>>;
  /** Required fields that the campaign leaves out because every recipient supplies them; absent when there are none. */
  readonly leftToRecipients?: readonly string[];
  /**
   * Present in campaigns of AUTHENTICATION templates, whose one-time codes are stored apart: `shared` if the campaign has
   * one for all recipients without one of their own, `own` if each recipient has its own.
   */
  readonly code?: 'shared' | 'own';
  /** The name of the shared document, by its type, if neither the caller nor its URL names it. */
  readonly documentName?: string;
}

/** A template as a campaign sends it, from a time on. It may be edited between two runs of the campaign. */
export interface SentTemplate extends Omit<RenderableTemplate, 'name'> {
  /** ISO 8601. */
  readonly from: string;
}

/** The `timezone` of a window that follows each recipient's own time zones. */
export const RECIPIENT_ZONES = 'recipient';

/** A campaign pauses itself when more than this percentage fails, unless it is given another one. */
export const DEFAULT_MAX_FAILURE_PERCENT = 50;

/** The hours of the day when a campaign may send. */
export interface SendWindow {
  /** `HH:MM`, inclusive. */
  readonly from: string;
  /** `HH:MM`, exclusive; if earlier than `from`, on the next day. */
  readonly to: string;
  /** An IANA name, or {@link RECIPIENT_ZONES}. */
  readonly timezone: string;
}
