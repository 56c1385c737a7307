import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

const headers = { 'X-Message-Id': { $ref: '#/components/headers/X-Message-Id' } } as never;

/** Describes what a send answers when the network did not accept the message. */
export const ApiSendErrors = (): MethodDecorator =>
  applyDecorators(
    ApiResponse({
      status: 400,
      description: 'A field is wrong, the contact has opted out, or the network refused the message',
      headers,
    }),
    ApiResponse({ status: 503, description: 'The message was not sent: try again after `Retry-After`', headers }),
    ApiResponse({
      status: 504,
      description: 'The network’s answer was lost: the message may have been sent, so do not send it again',
      headers,
    }),
  );
