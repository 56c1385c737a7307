/** A call to the network: which resource, on whose behalf. */
export interface NetworkCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the version, with its query: `/1234/messages`. */
  readonly path: string;
  /** Access token of the business phone. */
  readonly token: string;
  /** Sent as JSON; a Buffer or a stream (with `content-length`) is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The network's word that it took a message. */
export interface Acceptance {
  readonly networkMessageId: string;
  /** The number the network knows the recipient by, when it says so. */
  readonly waId: string | null;
  /** True when the network holds the message back for now: `held_for_quality_assessment` or `paused`. */
  readonly held: boolean;
}

/**
 * The messaging network, as Parley needs it. Every method throws {@link NetworkRefusal} when the network says no,
 * {@link NetworkUnreachable} when nothing left this process, and {@link NetworkOutcomeUnknown} when it may have.
 */
export abstract class MessagingNetwork {
  /**
   * Sends one message.
   *
   * @param phoneNumberId the network's id of the business phone
   * @param body the message as the network takes it, `biz_opaque_callback_data` included
   */
  abstract send(phoneNumberId: string, token: string, body: Readonly<Record<string, unknown>>): Promise<Acceptance>;

  /** Makes any other call and answers the parsed body. */
  abstract call<Answer>(call: NetworkCall): Promise<Answer>;
}
