// Everything is in one header.
#pragma once
#include "cuda_runtime.h"
