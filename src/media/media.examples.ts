import { EXAMPLE_ID, type RoomExamples } from '../manifest/room-examples.js';

/** What the description of the API shows of uploads. */
export const MEDIA_EXAMPLES: RoomExamples = {
  bodies: {
    'media.upload': {
      required: true,
      description: 'The file as the field `file` of a form.',
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: {
                type: 'string',
                contentMediaType: 'application/octet-stream',
                description: 'With the `Content-Type` of its format',
              },
            },
          },
        },
      },
    },
  },
  values: {
    'UploadRecord.id': EXAMPLE_ID,
    'UploadResponse.message': 'File uploaded',
  },
};
