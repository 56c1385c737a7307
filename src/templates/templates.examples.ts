import { one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of templates. */
export const TEMPLATES_EXAMPLES: RoomExamples = {
  requests: {
    'templates.create': one('A utility template', {
      name: 'order_update',
      category: 'UTILITY',
      language: 'en_US',
      body: { text: 'Hello {{1}}, your order {{2}} is on its way.', examples: { '1': 'Ada', '2': '4711' } },
      footer: { text: 'Thank you for your order' },
    }),
    'templates.createCarousel': one('Two cards', {
      name: 'spring_carousel',
      language: 'en_US',
      body: { text: 'Our offers for you, {{1}}.', examples: { '1': 'Ada' } },
      cards: ['https://example.com/tulips.jpg', 'https://example.com/roses.jpg'].map((media_url) => ({
        header_format: 'IMAGE',
        media_url,
        body_text: 'This week only',
        buttons: [{ type: 'QUICK_REPLY', text: 'Tell me more' }],
      })),
    }),
    'templates.preview': one('With its variables', {
      template_name: 'order_update',
      body_data: { '1': 'Ada', '2': '4711' },
    }),
  },
  values: {
    'CreateCarouselRequest.name': 'spring_carousel',
    'CreateTemplateRequest.name': 'order_update',
    'LimitedTimeOfferField.text': 'Ends soon',
    'LimitedTimeOfferRecord.text': 'Ends soon',
    'LocationField.name': 'Our shop',
    'PreviewButton.type': 'URL',
    'TemplateBodyField.examples': { '1': 'Ada' },
    'TemplateHeaderField.text': 'Your order',
    'TemplateHeaderField.text_example': { '1': 'Ada' },
    'TemplateRecord.name': 'order_update',
    'CreateTemplateResponse.message': 'Template created and submitted for review',
    'DeleteTemplateResponse.message': 'Template deleted',
    'SyncTemplatesResponse.message': 'Templates synchronised',
  },
};
