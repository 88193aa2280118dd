/** `npm run dev:ui -- URL`: serves the web application with reloading; requests to the API go to the server at URL. */
import { createServer } from 'vite';
import { viteConfig } from './vite-config.ts';

const target = process.argv[2] ?? 'http://127.0.0.1:8080';
const server = await createServer({
  ...viteConfig('dist'),
  server: { proxy: { '/api': target, '/auth': target } },
});
await server.listen();
server.printUrls();
