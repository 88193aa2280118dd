export { createOpenApi } from './openapi.ts';
