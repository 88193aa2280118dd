import { fleetFiles } from './fleet.ts';
import { storefrontFiles } from './registry.ts';
import { tenantFiles } from './tenants.ts';

/** The files of the demo repository: a small web page behind a Service, and the folders of the tenants. */
export const demoFiles: Readonly<Record<string, string>> = {
  ...tenantFiles,
  ...storefrontFiles,
  ...fleetFiles,
  'README.md': `# Demo

The manifests in \`web/\` run in the namespace \`demo\`. Change a file and commit: a hook pushes the commit to the repository that
Fairlead watches, and the cluster is synced.
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

/** The file that the hints propose to edit. */
export const fileToEdit = 'web/deployment.yaml';
