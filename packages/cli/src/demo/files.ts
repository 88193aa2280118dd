import { fleetFiles } from './fleet.ts';
import { storefrontFiles } from './registry.ts';
import { tenantFiles } from './tenants.ts';

/** The demo's repository, file by file: a small web page behind a service, and what the tenants deploy. */
export const demoFiles: Readonly<Record<string, string>> = {
  ...tenantFiles,
  ...storefrontFiles,
  ...fleetFiles,
  'README.md': `# Demo

What is in \`web/\` is what runs in the namespace \`demo\`. Change a file and commit: a hook pushes the commit to the repository that
Fairlead watches, and the cluster follows.
`,
  'web/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
data:
  greeting: hello
`,
  'web/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.29
          ports:
            - name: http
              containerPort: 80
          envFrom:
            - configMapRef:
                name: web
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
`,
  'web/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - name: http
      port: 80
      targetPort: http
`,
};

/** The file that a newcomer is told to edit. */
export const fileToEdit = 'web/deployment.yaml';
