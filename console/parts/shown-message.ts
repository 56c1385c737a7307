/** A part of a text. */
export interface TextPiece {
  readonly text: string;
  /** Whether it fills a variable. */
  readonly isFilled: boolean;
}

/** A button under a message; a reply is written by a tap, others lead elsewhere. */
export interface ShownButton {
  readonly text: string;
  readonly isReply: boolean;
}

/** A message as people get it. */
export interface ShownMessage {
  readonly title: readonly TextPiece[];
  /** What the file above the text is; null without one. */
  readonly media: string | null;
  readonly offer: string | null;
  readonly body: readonly TextPiece[];
  readonly footer: string | null;
  readonly buttons: readonly ShownButton[];
  /** How many cards follow; null for none. */
  readonly cards: string | null;
}
