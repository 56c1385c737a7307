import type { RecordId } from '../../values/record-id.js';

/** The network's limits for what a send fills in, characters. */
export const MAX_URL_SUFFIX = 2000;
export const MAX_PAYLOAD = 256;
export const MAX_COUPON = 20;

/** Values for one button of the template. */
export interface ButtonInput {
  /** Position of the button in the template, from 0. */
  readonly index: number;
  readonly urlParam: string | null;
  readonly payload: string | null;
  readonly couponCode: string | null;
}

/** Where a LOCATION header points. */
export interface LocationInput {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string | null;
  readonly address: string | null;
}

/** The file of a header, by one of two names. */
export interface MediaInput {
  readonly mediaUrl: string | null;
  /** Of a file that was uploaded, instead of a URL. */
  readonly mediaId?: RecordId;
}

/** Values for one card; entries are in card order. */
export interface CardInput extends MediaInput {
  /** One per URL button with a variable. */
  readonly urlButtonParams: readonly string[];
  /** One per quick reply, starting with the first; replies without one send their text. */
  readonly buttonPayloads: readonly string[];
}

/** Everything a send may provide to fill in a template; JSON-safe, because campaigns store it. */
export interface SendingInput extends MediaInput {
  readonly bodyData: Readonly<Record<string, string>>;
  readonly headerData: Readonly<Record<string, string>>;
  /** Of a document; null: the last part of its URL. */
  readonly filename: string | null;
  readonly location: LocationInput | null;
  readonly buttonParams: readonly ButtonInput[];
  readonly carouselData: readonly CardInput[] | null;
  /** Milliseconds since the epoch. */
  readonly expirationTimeMs: number | null;
}
