import { until } from '../support/until.js';
import { World } from '../support/world.js';

interface Listed {
  status: string;
  templates: Record<string, unknown>[];
  total: number;
}

describe('a template with only a body', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    await world.simulator.behave({ review_delay_ms: 0 });
  });
  afterAll(() => world.stop());

  it('is created, reviewed by the network and listed as APPROVED', async () => {
    const { api, phone } = await world.account();
    const created = await api.post('/api/v1/templates/create', {
      name: 'order_update',
      category: 'UTILITY',
      body: { text: 'Hi {{1}}, order {{2}} is on its way.', examples: { '1': 'Ada', '2': 'A-17' } },
    });
    expect(created.body).toEqual({
      status: 'success',
      message: 'Template created and submitted for review',
      template_id: expect.any(String),
      meta_template_id: expect.any(String),
      meta_status: 'PENDING',
    });
    expect(created.status).toBe(201);

    const record = await until('the template is approved', async () => {
      const { body } = await api.get<Listed>('/api/v1/templates/');
      return body.templates.find(({ status }) => status === 'APPROVED');
    });
    expect(record).toEqual({
      id: created.body.template_id,
      name: 'order_update',
      category: 'UTILITY',
      language: 'en_US',
      status: 'APPROVED',
      network_status: 'APPROVED',
      rejection_reason: null,
      header_format: 'NONE',
      body: 'Hi {{1}}, order {{2}} is on its way.',
      footer: null,
      buttons: [],
      requires_media: false,
      variable_count: 2,
      parameter_format: 'POSITIONAL',
      is_carousel: false,
      carousel_cards: null,
      limited_time_offer: null,
      offer_code: null,
      components: [
        {
          type: 'BODY',
          text: 'Hi {{1}}, order {{2}} is on its way.',
          example: { body_text: [['Ada', 'A-17']] },
        },
      ],
      meta_template_id: created.body.meta_template_id,
      waba_phone_id: phone.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });
});
