import type { SendOrigin } from './send-outcomes.js';

/** A call to the network. */
export interface NetworkCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below the version, query string included: `/1234/messages`. */
  readonly path: string;
  /** The access token of a business phone or an app; null for the calls that need none. */
  readonly token: string | null;
  /** Sent as JSON; a string is JSON already, and a Buffer or a stream (with `content-length`) is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds to wait for the answer. By default `NETWORK_TIMEOUT_MS`, which is also the most. */
  readonly timeoutMs?: number;
}

/** The network's confirmation that it accepted a message. */
export interface Acceptance {
  readonly networkMessageId: string;
  /** The recipient's number as the network knows it, if reported. */
  readonly waId: string | null;
  /** The network's user id of the recipient, if reported. */
  readonly userId: string | null;
  /** True when the network holds the message back for now: `held_for_quality_assessment` or `paused`. */
  readonly held: boolean;
}

/**
 * The messaging network.
 *
 * Every method throws {@link NetworkRefusal} when the network refuses, {@link NetworkUnreachable} when nothing was
 * sent, and {@link NetworkOutcomeUnknown} when the request may have been carried out.
 */
export abstract class MessagingNetwork {
  /**
   * Sends one message.
   *
   * @param phoneNumberId the network's id of the business phone
   * @param body the message as the network takes it, `biz_opaque_callback_data` included; a string is JSON already
   * @param origin for the metrics
   */
  abstract send(
    phoneNumberId: string,
    token: string,
    body: Readonly<Record<string, unknown>> | string,
    origin: SendOrigin,
  ): Promise<Acceptance>;

  /** Makes any other call and returns the parsed body. */
  abstract call<Answer>(call: NetworkCall): Promise<Answer>;
}
