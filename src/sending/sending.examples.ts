import { EXAMPLE_ID, EXAMPLE_PHONE, one, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of sends. */
export const SENDING_EXAMPLES: RoomExamples = {
  requests: {
    'conversations.markRead': one('And show that you are typing', { typing: true }),
    'messages.send': {
      text: {
        summary: 'A template with two variables',
        value: { template_name: 'order_update', contact_phone: EXAMPLE_PHONE, body_data: { '1': 'Ada', '2': '4711' } },
      },
      media: {
        summary: 'A template with a picture and a button',
        value: {
          template_name: 'spring_offer',
          template_language: 'en_US',
          contact_phone: EXAMPLE_PHONE,
          contact_name: 'Ada Lorenzen',
          body_data: { '1': 'Ada' },
          media_url: 'https://example.com/spring.jpg',
          button_params: [{ index: 0, url_param: 'spring' }],
        },
      },
    },
    'messages.sendMessage': {
      text: {
        summary: 'A text',
        value: { contact_phone: EXAMPLE_PHONE, message_type: 'text', message: 'Your parcel is on its way.' },
      },
      buttons: {
        summary: 'A text with buttons',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'text',
          message: 'Shall we deliver tomorrow?',
          buttons: {
            type: 'reply',
            reply_buttons: [
              { id: 'yes', title: 'Yes' },
              { id: 'no', title: 'No' },
            ],
          },
        },
      },
      image: {
        summary: 'A picture',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'image',
          media_url: 'https://example.com/parcel.jpg',
          caption: 'Left at your door',
        },
      },
      link: {
        summary: 'A text with a preview of its link, of an agent, as an answer',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'text',
          message: 'Follow it at https://example.com/orders/4711',
          preview_url: true,
          reply_to: EXAMPLE_ID,
          agent_user_id: EXAMPLE_ID,
          reference: 'order-4711',
        },
      },
      voice: {
        summary: 'A voice message',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'audio',
          media_url: 'https://example.com/hello.ogg',
          voice: true,
        },
      },
      sticker: {
        summary: 'A sticker',
        value: { contact_phone: EXAMPLE_PHONE, message_type: 'sticker', media_url: 'https://example.com/wave.webp' },
      },
      list: {
        summary: 'A list to choose from',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'list',
          message: 'When shall we deliver?',
          list: {
            button: 'Choose a time',
            sections: [
              {
                title: 'Tomorrow',
                rows: [
                  { id: 'morning', title: 'In the morning', description: '8 to 12' },
                  { id: 'afternoon', title: 'In the afternoon', description: '12 to 18' },
                ],
              },
            ],
          },
        },
      },
      location: {
        summary: 'A place',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'location',
          location: {
            latitude: 52.520008,
            longitude: 13.404954,
            name: 'Warehouse North',
            address: 'Example Street 1, Berlin',
          },
        },
      },
      locationRequest: {
        summary: 'A request for the contact’s location',
        value: { contact_phone: EXAMPLE_PHONE, message_type: 'location_request', message: 'Where shall we deliver?' },
      },
      contacts: {
        summary: 'A contact card',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'contacts',
          contacts: [
            {
              name: { formatted_name: 'Casey Example', first_name: 'Casey', last_name: 'Example' },
              phones: [{ phone: '+1 555 999 0100', type: 'WORK', wa_id: '15559990100' }],
            },
          ],
        },
      },
      reaction: {
        summary: 'An emoji on a message; an empty one takes it back',
        value: {
          contact_phone: EXAMPLE_PHONE,
          message_type: 'reaction',
          reaction: { message_id: EXAMPLE_ID, emoji: '👍' },
        },
      },
    },
  },
  values: {
    'MarkReadResponse.message': 'Conversation marked as read',
    'ReplyButton.id': 'yes',
    'SendFreeFormResponse.message': 'The network accepted the message',
    'SendTemplateResponse.message': 'The network accepted the message',
  },
};
