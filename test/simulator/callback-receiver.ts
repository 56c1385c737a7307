import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCallback {
  raw: Buffer;
  headers: IncomingHttpHeaders;
  at: number;
}

export interface ReceivedStatus {
  id: string;
  status: string;
  timestamp: string;
  recipient_id?: string;
  recipient_user_id?: string;
  biz_opaque_callback_data?: string;
  errors?: { code: number; title: string; error_data: { details: string } }[];
  conversation?: object;
  pricing?: { billable: boolean; pricing_model: string; category: string; type: string };
}

export interface ReceivedMessage {
  from?: string;
  from_user_id: string;
  id: string;
  timestamp: string;
  type: string;
  text?: { body: string };
  button?: { payload: string; text: string };
  interactive?: { type: string; button_reply?: object; list_reply?: object };
  context?: { from: string; id: string };
}

export interface ReceivedChange {
  account: string;
  field: string;
  value: {
    metadata?: { phone_number_id: string; display_phone_number: string };
    contacts?: { wa_id?: string; user_id: string; profile?: { name?: string; username?: string } }[];
    statuses?: ReceivedStatus[];
    messages?: ReceivedMessage[];
    event?: string;
    reason?: string;
    message_template_name?: string;
  };
}

/** Plays the service: receives callbacks and answers with the status that `answer` returns. */
export class CallbackReceiver {
  readonly callbacks: ReceivedCallback[] = [];
  answer: (attempt: number) => number = () => 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CallbackReceiver> {
    // A connection that ends while a callback is on its way would make it come again, after later ones.
    const server = createServer({ keepAliveTimeout: 0 });
    const receiver = new CallbackReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.callbacks.push({ raw: Buffer.concat(chunks), headers: request.headers, at: Date.now() });
        response.writeHead(receiver.answer(receiver.callbacks.length)).end();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/network/callbacks`;
  }

  get changes(): ReceivedChange[] {
    return this.callbacks.flatMap(({ raw }) => {
      const body = JSON.parse(raw.toString()) as {
        entry: { id: string; changes: { field: string; value: ReceivedChange['value'] }[] }[];
      };
      return body.entry.flatMap(({ id, changes }) => changes.map((change) => ({ account: id, ...change })));
    });
  }

  get statuses(): ReceivedStatus[] {
    return this.changes.flatMap(({ value }) => value.statuses ?? []);
  }

  get messages(): ReceivedMessage[] {
    return this.changes.flatMap(({ value }) => value.messages ?? []);
  }

  /** Statuses reported for the message `id`, in order of arrival. */
  statusesOf(id: string): string[] {
    return this.statuses.filter((status) => status.id === id).map(({ status }) => status);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
