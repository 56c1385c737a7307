export const CATEGORIES = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const;
export type TemplateCategory = (typeof CATEGORIES)[number];

export const STATUSES = ['APPROVED', 'PENDING', 'REJECTED'] as const;
export type TemplateStatus = (typeof STATUSES)[number];

/** Header formats at creation; records without a header have `NONE`. */
export const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const;
export type HeaderFormat = (typeof HEADER_FORMATS)[number];

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
