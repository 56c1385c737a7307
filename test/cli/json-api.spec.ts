import { ApiRefusal, JsonApi } from '../../src/cli/json-api.js';
import { LoopbackServer } from '../support/loopback-server.js';

it.each([301, 302, 303, 307, 308])(
  'a command of the API follows no redirect (%i), and names its target',
  async (status) => {
    const server = await LoopbackServer.start((_request, response) => {
      response.writeHead(status, { location: 'https://parley.example.com/api/v1/webhooks/' }).end('{}');
    });
    try {
      const api = new JsonApi({ baseUrl: server.url(''), apiKey: 'pk_live_test', absent: 'absent' });
      const refusal = await api.post('/api/v1/webhooks/').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ApiRefusal);
      expect(refusal).toMatchObject({
        status,
        message: expect.stringContaining('it redirects to https://parley.example.com/api/v1/webhooks/.'),
      });
      expect(server.requests).toEqual(['POST /api/v1/webhooks/']);
    } finally {
      await server.stop();
    }
  },
);
