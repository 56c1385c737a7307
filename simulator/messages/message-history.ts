import { SECOND } from '../../src/values/clock.js';
import { UNDELIVERABLE, WITHHELD } from '../callbacks/delivery-plan.js';
import type { Ledger } from '../control/ledger.js';
import type { Answer, Exchange } from '../exchange.js';
import { detailsOf, GraphError } from '../graph-error.js';
import type { SimulatedPhone } from '../phone-registry.js';

/**
 * `GET /{phone_number_id}/message_history`: what became of a message until now, also what no callback has reported or
 * will report.
 */
export function messageHistory(ledger: Ledger, { phone_number_id }: SimulatedPhone, { query }: Exchange): Answer {
  const id = query.get('message_id');
  if (id === null) throw GraphError.missing('message_id');
  const message = ledger.find(id);
  if (message === null || message.phoneNumberId !== phone_number_id) return { status: 200, json: { data: [] } };
  const past = message.plan.filter(([, , claimed]) => message.at + claimed <= Date.now());
  const steps = new Map(past.map((step) => [step[0], step]));
  const data = [...steps.values()]
    .sort(([, , one], [, , other]) => one - other)
    .map(([status, due, claimed, code = UNDELIVERABLE]) => ({
      id: `${message.sequence}-${status}`,
      delivery_status: status === 'played' ? 'READ' : status.toUpperCase(),
      timestamp: String(Math.floor((message.at + claimed) / SECOND)),
      webhook_update_state: due === WITHHELD ? 'FAILED' : 'DELIVERED',
      ...(status === 'failed' ? { error_description: `(#${code}) ${detailsOf(code)}` } : {}),
    }));
  return { status: 200, json: { data: [{ id: String(message.sequence), message_id: id, events: { data } }] } };
}
