import { until } from './until.js';
import type { TestAccount, World } from './world.js';

/** Creates a body-only template and waits until the network has approved it. */
export async function approvedTemplate(
  world: World,
  account: TestAccount,
  body: Record<string, unknown> = {},
): Promise<{ name: string; id: string }> {
  const name = `t_${Math.random().toString(36).slice(2, 12)}`;
  await world.simulator.behave({ review_delay_ms: 0 });
  const created = await account.api.post<{ template_id: string }>('/api/v1/templates/create', {
    name,
    category: 'UTILITY',
    body: { text: 'Hello from the test' },
    ...body,
  });
  if (created.status !== 201) throw new Error(`template: ${created.status} ${created.text}`);
  const id = created.body.template_id;
  await until('the template is approved', async () => {
    const { body: found } = await account.api.get<{ template: { status: string } }>(`/api/v1/templates/${id}`);
    return found.template?.status === 'APPROVED';
  });
  return { name, id };
}
