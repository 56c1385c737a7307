import type { Parley } from '../../clients/typescript/src/index.js';
import { COEXISTENCE_THROUGHPUT } from '../../src/accounts/phone-facts.js';
import { JsonApi } from '../../src/cli/json-api.js';
import type { Operator } from '../../src/cli/operator.js';
import type { SandboxFile } from '../sandbox-file.js';

/** Added to the network’s id of the first phone: several sandboxes may share one database. */
const ID_SUFFIX = '20';
/** What the network allows a phone that is also in the WhatsApp Business app, as the demo’s is. */
export const MESSAGES_PER_SECOND = COEXISTENCE_THROUGHPUT;
/** 212-555-01xx is reserved for fiction, as are the numbers of the other phones. */
const AREA = '1212555';

/**
 * The business phone of the demo, added on its first run: one that sends slowly enough to watch, while those of the
 * sandbox keep their pace.
 *
 * @returns its `waba_phone_id`
 */
export async function ensureDemoPhone(sandbox: SandboxFile, parley: Parley, operator: Operator): Promise<string> {
  const { account_id: accountId, simulator_url } = sandbox;
  const [first] = sandbox.business_phones;
  if (first === undefined) throw new Error('The sandbox has no business phone.');
  const phoneNumberId = first.phone_number_id + ID_SUFFIX;
  const phone = AREA + first.phone.slice(-4);
  const absent = 'The simulated network of the sandbox has stopped.';
  const simulator = new JsonApi({ baseUrl: String(simulator_url), apiKey: 'simulated', absent });
  await simulator.post('/_sim/phones', {
    phone_number_id: phoneNumberId,
    waba_id: first.waba_id,
    display_phone_number: phone,
    is_on_biz_app: true,
    platform_type: 'CLOUD_API',
  });
  const settings = { throughput: MESSAGES_PER_SECOND };
  for await (const known of parley.businessPhones.list()) {
    if (known.phone_number_id !== phoneNumberId) continue;
    if (known.throughput !== MESSAGES_PER_SECOND)
      await operator.phones.change(accountId, known.waba_phone_id, settings);
    return known.waba_phone_id;
  }
  return operator.phones.add({ accountId, phoneNumberId, wabaId: first.waba_id, phone, ...settings });
}
