import type { RenderedTemplate } from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';

/** The network's request body for a template message, without the recipient and our id. */
export const templateBody = (
  template: Pick<Template, 'name' | 'language'>,
  rendered: Pick<RenderedTemplate, 'components'>,
): Readonly<Record<string, unknown>> => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  type: 'template',
  template: { name: template.name, language: { code: template.language }, components: rendered.components },
});
