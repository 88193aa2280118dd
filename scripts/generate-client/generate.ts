/** `npm run generate:client`: writes the types of `@fairlead/client` from the OpenAPI document of the server. */
import { writeFileSync } from 'node:fs';
import { generatedClient, generatedFile } from './generated-client.ts';

writeFileSync(generatedFile, generatedClient());
