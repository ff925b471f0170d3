import { keepsTheBusPromises } from '../conformance.ts';
import { postgresBusSettings } from './postgres-bus-settings.ts';

keepsTheBusPromises(postgresBusSettings);
