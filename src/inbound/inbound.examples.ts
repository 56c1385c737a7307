import { type RoomExamples } from '../manifest/room-examples.js';

const ENVELOPE = {
  required: true,
  description: 'An envelope of the network. One of any other form is stored and acknowledged.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          object: { type: 'string', enum: ['whatsapp_business_account'] },
          entry: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'string', description: 'The business account on the network' },
                changes: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      field: { type: 'string', description: 'Such as `messages`' },
                      value: { type: 'object', additionalProperties: true },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** What the description of the API shows of callbacks. */
export const INBOUND_EXAMPLES: RoomExamples = {
  bodies: {
    'network.receive': ENVELOPE,
    'network.receiveOfApp': ENVELOPE,
  },
  values: {
    'ButtonClickedEvent.button.id': 'yes',
    'ButtonClickedEvent.button.text': 'Yes',
  },
};
