/** What a question to Meta came to. */
export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** Meta refused it, with its code and words. */
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  /** Nobody knows: there was no usable answer, or the question was not asked. */
  | { readonly kind: 'unread'; readonly reason: string };

/** What `debug_token` tells of a token. */
export interface TokenFacts {
  readonly appId: string;
  readonly application: string | null;
  /** SYSTEM_USER, USER or PAGE. */
  readonly type: string;
  readonly isValid: boolean;
  /** When it ends; null for never. */
  readonly expiresAt: Date | null;
  readonly scopes: readonly string[];
  /** The business accounts that it was given; null for all. */
  readonly wabaIds: readonly string[] | null;
  /** Why it is not valid, in Meta's words. */
  readonly error: string | null;
}

/** Where an app's callbacks go; null if it has no callback URL. */
export type SubscriptionFacts = { readonly callbackUrl: string; readonly fields: readonly string[] } | null;

/** What Meta tells of a phone. */
export interface PhoneState {
  /** Digits. */
  readonly number: string | null;
  readonly verifiedName: string | null;
  readonly nameStatus: string | null;
  readonly status: string | null;
  readonly quality: string | null;
  readonly messagingLimit: string | null;
  readonly throughputLevel: string | null;
  readonly platformType: string | null;
  readonly isOnBizApp: boolean;
  /** Whether the number is in the WhatsApp Business app and here; null if Meta does not say. */
  readonly isCoexisting: boolean | null;
  /** URLs that get the callbacks instead of the app's own: of the phone, else of the business account. */
  readonly overrideUrl: string | null;
  readonly health: HealthFacts | null;
}

/** Whether messages can be sent, and what stands in the way. */
export interface HealthFacts {
  /** AVAILABLE, LIMITED or BLOCKED. */
  readonly canSend: string;
  readonly errors: readonly { readonly code: number; readonly description: string; readonly solution: string | null }[];
}

/** What was last heard of the phone's traffic; null for a phone that is not stored. */
export interface TrafficFacts {
  /** When a message was accepted, at least an hour ago, whose reports never came; null if there is none. */
  readonly silentSince: Date | null;
  /** Whether any report or message has come in the last day. */
  readonly isHeard: boolean;
  /** When the network last refused a message because of the payment; null if it did not in the last day. */
  readonly unpaidAt: Date | null;
}

/** Everything that the checks are made from. */
export interface Readings {
  readonly app: { readonly appId: string; readonly name: 'environment' | 'added' };
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The URL that Meta must call; null while `PUBLIC_URL` is not set. */
  readonly callbackUrl: string | null;
  readonly token: Reading<TokenFacts>;
  /** The number ids of the business account. */
  readonly numberIds: Reading<readonly string[]>;
  readonly phone: Reading<PhoneState>;
  /** The result of registering with the PIN; null if that was not asked. */
  readonly registered: Reading<true> | null;
  /** The ids of the apps that get the account's callbacks. */
  readonly subscribers: Reading<readonly string[]>;
  readonly subscription: Reading<SubscriptionFacts>;
  readonly traffic: TrafficFacts | null;
}
