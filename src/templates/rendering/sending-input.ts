/** What a send brings for one button of the template. */
export interface ButtonInput {
  /** Place of the button in the template, from 0. */
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

/** What a send brings for one card, in card order. */
export interface CardInput {
  readonly mediaUrl: string | null;
  /** One per URL button with a variable. */
  readonly urlButtonParams: readonly string[];
  /** One per quick reply, from the first on; the others send their text. */
  readonly buttonPayloads: readonly string[];
}

/** Everything that a send may bring to fill in a template; JSON-safe, since campaigns keep it. */
export interface SendingInput {
  readonly bodyData: Readonly<Record<string, string>>;
  readonly headerData: Readonly<Record<string, string>>;
  readonly mediaUrl: string | null;
  readonly filename: string | null;
  readonly location: LocationInput | null;
  readonly buttonParams: readonly ButtonInput[];
  readonly carouselData: readonly CardInput[] | null;
  /** Milliseconds since the epoch. */
  readonly expirationTimeMs: number | null;
}
