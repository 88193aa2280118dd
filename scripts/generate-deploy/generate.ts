/** `npm run generate:deploy`: writes the manifests and the chart of `deploy` from the role table. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deployFolder, generatedDeploy } from './generated-deploy.ts';

rmSync(join(deployFolder, 'chart'), { recursive: true, force: true });
for (const [path, text] of generatedDeploy()) {
  mkdirSync(dirname(join(deployFolder, path)), { recursive: true });
  writeFileSync(join(deployFolder, path), text);
}
