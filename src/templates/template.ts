export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export type TemplateCategory = (typeof CATEGORIES)[number];

/** Categories that the network no longer offers but may still return, all but one of which are UTILITY today. */
const FORMER_CATEGORIES: ReadonlyMap<string, TemplateCategory> = new Map([
  ['OTP', 'AUTHENTICATION'],
  ...[
    'ACCOUNT_UPDATE',
    'ALERT_UPDATE',
    'APPOINTMENT_UPDATE',
    'AUTO_REPLY',
    'ISSUE_RESOLUTION',
    'PAYMENT_UPDATE',
    'PERSONAL_FINANCE_UPDATE',
    'RESERVATION_UPDATE',
    'SHIPPING_UPDATE',
    'TICKET_UPDATE',
    'TRANSACTIONAL',
    'TRANSPORTATION_UPDATE',
  ].map((name) => [name, 'UTILITY'] as const),
]);

/** The category that the network names, by its present or a former name; null for an unknown one. */
export const categoryOf = (name: unknown): TemplateCategory | null =>
  typeof name === 'string'
    ? (CATEGORIES.find((category) => category === name) ?? FORMER_CATEGORIES.get(name) ?? null)
    : null;

/** Characters of a template's name, and of a language that a send names; both the network's. */
export const MAX_TEMPLATE_NAME = 512;
export const MAX_LANGUAGE = 16;
/** A language as the network writes it, and how messages say so. */
export const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2})?$/;
export const LANGUAGE_FORM = 'be a code such as en_US or de';
/** Characters of a language that only looks for templates. */
export const MAX_LANGUAGE_SOUGHT = 32;
/** Buttons of a template. */
export const MAX_BUTTONS = 10;

export const STATUSES = ['APPROVED', 'PENDING', 'REJECTED'] as const;
export type TemplateStatus = (typeof STATUSES)[number];

/** Header formats at creation; records without a header have `NONE`. */
export const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const;
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

/** Header formats of a carousel's cards. */
export const CARD_FORMATS = ['IMAGE', 'VIDEO'] as const;

/** Header formats with a file. */
export const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'DOCUMENT'] as const;
export type MediaFormat = (typeof MEDIA_FORMATS)[number];

export const isMediaFormat = (format: string): format is MediaFormat =>
  (MEDIA_FORMATS as readonly string[]).includes(format);

export const BUTTON_TYPES = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'FLOW'] as const;
export type ButtonType = (typeof BUTTON_TYPES)[number];

export type ParameterFormat = 'POSITIONAL' | 'NAMED';

/** A component of a template in the network's format. */
export type NetworkComponent = Readonly<Record<string, unknown>>;

/** A button as stored and as the API returns it; fields that do not apply to its type are absent. */
export interface StoredButton {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
  readonly url_example?: string;
  readonly phone_number?: string;
  readonly copy_code_example?: string;
  readonly flow_id?: string;
  readonly flow_action?: string;
  readonly navigate_screen?: string;
}

/** A card as stored and as the API returns it. */
export interface StoredCard {
  readonly header_format: string;
  readonly media_url: string | null;
  readonly body_text: string | null;
  readonly buttons: readonly StoredButton[];
}

export interface StoredOffer {
  readonly text: string;
  readonly has_expiration: boolean;
}
