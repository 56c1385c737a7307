import type { SimulatorControl } from '../support/simulator-control.js';

export const CREATE = '/api/v1/templates/create';
export const LIST = '/api/v1/templates/';
export const SYNC = '/api/v1/templates/sync';

/** A template as the network lists it. */
export interface UpstreamTemplate {
  readonly id: string;
  readonly name: string;
  readonly components: unknown;
}

type Simulator = Pick<SimulatorControl, 'url'>;

/** Calls the Graph API past Parley, as the network's own manager would. */
async function graph<Answer>({ url }: Simulator, method: string, path: string, content?: unknown): Promise<Answer> {
  const response = await fetch(`${url}/v23.0${path}`, {
    method,
    headers: { authorization: 'Bearer test', 'content-type': 'application/json', file_offset: '0' },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Answer;
}

/** The templates that the network has for a business account. */
export const upstreamTemplates = async (simulator: Simulator, wabaId: string): Promise<UpstreamTemplate[]> =>
  (await graph<{ data: UpstreamTemplate[] }>(simulator, 'GET', `/${wabaId}/message_templates?limit=1000`)).data;

/** Creates a template that Parley does not know. */
export const createUpstream = (
  simulator: Simulator,
  wabaId: string,
  name: string,
  components: readonly object[] = [{ type: 'BODY', text: 'Hi {{1}}', example: { body_text: [['Ada']] } }],
  category = 'UTILITY',
): Promise<{ id: string }> =>
  graph(simulator, 'POST', `/${wabaId}/message_templates`, { name, language: 'en_US', category, components });

/** Uploads an example file past Parley; returns its handle. */
export async function uploadUpstream(simulator: Simulator, type: string): Promise<string> {
  const session = await graph<{ id: string }>(simulator, 'POST', `/1/uploads?file_length=1&file_type=${type}`);
  return (await graph<{ h: string }>(simulator, 'POST', `/${session.id}`, 1)).h;
}

/** Deletes a template without Parley. */
export const deleteUpstream = (simulator: Simulator, wabaId: string, name: string): Promise<unknown> =>
  graph(simulator, 'DELETE', `/${wabaId}/message_templates?name=${name}`);
